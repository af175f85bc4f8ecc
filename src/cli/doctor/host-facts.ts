// Everything that `quiesce doctor` tells, as data.

import { release } from 'node:os'
import { composeContext } from '../../context/compose-context.js'
import { inspectNative, type NativeFacts } from '../../subprocess/native/inspect.js'
import { NativeSubprocessRuntime } from '../../subprocess/native/native-runtime.js'
import type { RangeReport } from '../../subprocess/types.js'
import { type CgroupFacts, cgroupFacts } from './cgroup-facts.js'
import { type SandboxFacts, sandboxFacts } from './sandbox-facts.js'

export interface HostFacts {
  readonly version: string
  readonly node: string
  readonly platform: string
  readonly kernel: string
  readonly cgroup: CgroupFacts
  readonly native: NativeFacts
  /** What a context with default options uses here. */
  readonly provider: 'native' | 'node'
  readonly range: RangeReport
  readonly sandbox: SandboxFacts
  readonly warnings: readonly string[]
}

export async function hostFacts(version: string): Promise<HostFacts> {
  const warnings: string[] = []
  await using context = composeContext({ onWarning: ({ message }) => warnings.push(message) })
  return {
    version,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    kernel: release(),
    cgroup: cgroupFacts(),
    native: inspectNative(),
    provider: context.subprocess instanceof NativeSubprocessRuntime ? 'native' : 'node',
    range: context.subprocess.range,
    sandbox: await sandboxFacts(context.subprocess),
    warnings
  }
}
