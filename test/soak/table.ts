// The tables that the soak ends with.

import type { HostState, Memory } from './host-state.js'

/** Columns as wide as their longest cell; all but the first are numbers. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

export interface Moment {
  /** Absent where it is no matter of comparison. */
  readonly state?: HostState
  readonly memory: Memory
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

export function momentsTable(moments: Readonly<Record<string, Moment>>): string {
  return columns([
    ['', 'descriptors', 'threads', 'children', 'cgroup folders', 'spill files', 'resident MiB', 'heap MiB'],
    ...Object.entries(moments).map(([name, { state, memory }]) => [
      name,
      ...(['descriptors', 'threads', 'children', 'cgroupFolders', 'spillFiles'] as const).map((kind) =>
        String(state?.[kind].length ?? '')
      ),
      mebibytes(memory.residentBytes),
      mebibytes(memory.heapBytes)
    ])
  ])
}
