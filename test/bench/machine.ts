// What the figures were taken on.

import { cpus, loadavg, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly coreCount: number
  readonly memoryGiB: number
  readonly kernel: string
  readonly node: string
  readonly load: readonly number[]
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    coreCount: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    load: loadavg().map((value) => Math.round(value * 100) / 100)
  }
}

export function machineLine(machine: Machine): string {
  const { cpu, coreCount, memoryGiB, kernel, node, load } = machine
  return `${cpu}, ${coreCount} cores, ${memoryGiB} GiB; Linux ${kernel}; Node ${node}; load ${load.join(' ')}`
}
