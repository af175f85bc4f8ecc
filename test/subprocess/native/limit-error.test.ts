import { constants } from 'node:os'
import { describe, expect, it } from 'vitest'
import { limitError } from '../../../src/subprocess/native/limit-error.js'

const { EACCES, EBUSY, ENOSYS, EOPNOTSUPP, EPERM } = constants.errno
const limits = { memoryBytes: 1000, pids: 5, cpus: 0.5, openFiles: 70 }
const folder = '/sys/fs/cgroup/user.slice'

const messageOf = (errno: number, syscall: string, path: string): string =>
  limitError({ errno, syscall, path }, limits, 'cgroup').message

describe('a limit that cannot be enforced', () => {
  it('carries code, stage, option, value and reason', () => {
    const { name, code, stage, option, value, reason, message } = limitError(
      { errno: EOPNOTSUPP, syscall: 'pids', path: '' },
      limits,
      'supervisor'
    )
    const why = 'a supervisor range cannot hold all processes of a command to it; a cgroup or scope range can'
    expect({ name, code, stage, option, value, reason, message }).toEqual({
      name: 'LimitUnavailableError',
      code: 'LIMIT_UNAVAILABLE',
      stage: 'limits',
      option: 'limits.pids',
      value: 5,
      reason: why,
      message: `limits.pids 5 cannot be enforced: ${why}`
    })
  })

  it('names the controller that a folder lacks, the folder and the remedy', () => {
    expect(messageOf(EOPNOTSUPP, 'cpus', `${folder}/cgroup.controllers`)).toBe(
      `limits.cpus 0.5 cannot be enforced: the cgroup folder ${folder} has no cpu controller: the folder above has to hand ` +
        'it down (echo +cpu > cgroup.subtree_control, or Delegate=yes in systemd), and cannot while cgroup v1 has it'
    )
  })

  it('says the same of the folder of a scope, which has no path', () => {
    expect(messageOf(EOPNOTSUPP, 'pids', 'cgroup.controllers')).toBe(
      'limits.pids 5 cannot be enforced: the folder of the scope has no pids controller: the folder above has to hand it down ' +
        '(echo +pids > cgroup.subtree_control, or Delegate=yes in systemd), and cannot while cgroup v1 has it'
    )
  })

  it('names the folder that holds processes, and the remedy', () => {
    expect(messageOf(EBUSY, 'memoryBytes', `${folder}/cgroup.subtree_control`)).toBe(
      `limits.memoryBytes 1000 cannot be enforced: the cgroup folder ${folder} holds processes itself, and so the kernel ` +
        'hands no memory controller down from it: start this process in a folder further below, or name a folder without ' +
        'processes by cgroupParent'
    )
  })

  it('names the file of every other refusal', () => {
    expect(messageOf(EACCES, 'memoryBytes', `${folder}/cgroup.subtree_control`)).toBe(
      'limits.memoryBytes 1000 cannot be enforced: permission denied (EACCES, write ' +
        `"${folder}/cgroup.subtree_control")`
    )
  })

  it('names the hard limit that it is above, or the call that was refused', () => {
    expect([messageOf(EPERM, 'openFiles', '64'), messageOf(ENOSYS, 'openFiles', '')]).toEqual([
      'limits.openFiles 70 cannot be enforced: the hard limit of this process is 64',
      'limits.openFiles 70 cannot be enforced: function not implemented (ENOSYS, prlimit64)'
    ])
  })
})
