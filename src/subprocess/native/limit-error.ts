// Why a limit cannot be had here, from what the core met: in words, with the remedy.

import { constants } from 'node:os'
import { LimitUnavailableError } from '../../errors/limit-unavailable.js'
import type { NativeSystemError } from '../../native/binding.js'
import type { LimitName } from '../preflight-limits.js'
import type { RangeKind, SubprocessLimits } from '../types.js'
import { describeSystemError } from './system-error.js'

const { EBUSY, EPERM } = constants.errno

/** The controllers of the limits that a whole range is held to; the other limits are those of each process. */
const controllers: { readonly [Name in LimitName]?: string } = { memoryBytes: 'memory', pids: 'pids', cpus: 'cpu' }

/** `trouble` is that of a failed start at the stage `limits`: see SpawnFailure in native/spawn/spawn_request.h. */
export function limitError(
  { errno, syscall: name, path }: NativeSystemError,
  limits: SubprocessLimits | undefined,
  range: RangeKind
): LimitUnavailableError {
  const limit = name as LimitName
  const controller = controllers[limit]
  const reason = controller === undefined ? reasonOfProcess(errno, path) : reasonOfRange(errno, path, controller, range)
  return new LimitUnavailableError(`limits.${limit}`, limits?.[limit], reason)
}

function reasonOfProcess(errno: number, hardLimit: string): string {
  if (errno === EPERM && hardLimit !== '') return `the hard limit of this process is ${hardLimit}`
  return describeSystemError({ errno, syscall: 'prlimit64', path: '' })
}

function reasonOfRange(errno: number, path: string, controller: string, range: RangeKind): string {
  if (path === '') return `a ${range} range cannot hold all processes of a command to it; a cgroup or scope range can`
  // A launcher's folder has no path in the namespace of the host.
  const folder = path.includes('/')
    ? `the cgroup folder ${path.slice(0, path.lastIndexOf('/'))}`
    : 'the folder of the scope'
  if (path.endsWith('cgroup.controllers')) {
    return (
      `${folder} has no ${controller} controller: the folder above has to hand it down ` +
      `(echo +${controller} > cgroup.subtree_control, or Delegate=yes in systemd), and cannot while cgroup v1 has it`
    )
  }
  if (path.endsWith('cgroup.subtree_control') && errno === EBUSY) {
    return (
      `${folder} holds processes itself, and so the kernel hands no ${controller} controller down from ` +
      'it: start this process in a folder further below, or name a folder without processes by cgroupParent'
    )
  }
  return describeSystemError({ errno, syscall: 'write', path })
}
