// Whether a process provably waits for input from a terminal: some thread is in a system call that reads from a descriptor
// which is that terminal, or waits for one to become readable. Linux on x64 and arm64; elsewhere nothing is ever proven.

import * as fs from 'node:fs'
import { numbersIn } from './process-table.js'

type Kind = 'read' | 'select' | 'poll' | 'epoll'

const calls: Readonly<Record<string, Readonly<Record<number, Kind>>>> = {
  x64: {
    0: 'read',
    7: 'poll',
    19: 'read',
    23: 'select',
    232: 'epoll',
    270: 'select',
    271: 'poll',
    281: 'epoll',
    441: 'epoll'
  },
  arm64: { 22: 'epoll', 63: 'read', 65: 'read', 72: 'select', 73: 'poll', 441: 'epoll' }
}

const POLLIN = 1
/** A set or list larger than this belongs to a program that waits for more than its user. */
const mostDescriptors = 1024
/** Device number of /dev/tty, which is whatever terminal the process has. */
const devTty = 5 * 256

/** `terminal` is the device number (rdev) of the command's end. What cannot be read does not wait. */
export function waitsForInput(pid: number, terminal: number): boolean {
  const known = process.platform === 'linux' ? calls[process.arch] : undefined
  if (known === undefined) return false
  return numbersIn(`/proc/${pid}/task`).some((thread) => {
    try {
      const [number, ...args] = fs.readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1').split(' ')
      const kind = known[Number(number)]
      if (kind === undefined) return false
      return descriptors(kind, pid, args.map(BigInt)).some((fd) => isTerminal(pid, fd, terminal))
    } catch {
      // Running, ended, or not to be looked at.
      return false
    }
  })
}

function descriptors(kind: Kind, pid: number, [first = 0n, second = 0n]: readonly bigint[]): number[] {
  if (kind === 'read') return [Number(BigInt.asIntN(32, first))]
  if (kind === 'select') return second === 0n ? [] : inSet(memory(pid, second, 128), Number(first))
  if (kind === 'poll') return inList(memory(pid, first, Math.min(Number(second), mostDescriptors) * 8))
  const text = fs.readFileSync(`/proc/${pid}/fdinfo/${first}`, 'latin1')
  return [...text.matchAll(/tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/g)]
    .filter(([, , events = '0']) => (Number.parseInt(events, 16) & POLLIN) !== 0)
    .map(([, fd]) => Number(fd))
}

/** fd_set: a bit for each descriptor, the lowest first. */
function inSet(set: Buffer, count: number): number[] {
  const found: number[] = []
  for (let fd = 0; fd < Math.min(count, mostDescriptors); fd += 1) {
    if (((set[fd >> 3] ?? 0) >> (fd & 7)) & 1) found.push(fd)
  }
  return found
}

/** struct pollfd: the descriptor as an int, then what is waited for as a short. */
function inList(list: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at + 8 <= list.length; at += 8) {
    if (list.readInt16LE(at + 4) & POLLIN) found.push(list.readInt32LE(at))
  }
  return found
}

function memory(pid: number, address: bigint, length: number): Buffer {
  const file = fs.openSync(`/proc/${pid}/mem`, 'r')
  try {
    const buffer = Buffer.alloc(length)
    return buffer.subarray(0, fs.readSync(file, buffer, 0, length, address))
  } finally {
    fs.closeSync(file)
  }
}

function isTerminal(pid: number, fd: number, terminal: number): boolean {
  if (fd < 0) return false
  const { rdev } = fs.statSync(`/proc/${pid}/fd/${fd}`)
  return rdev === terminal || rdev === devTty
}
