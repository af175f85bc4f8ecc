// What execvp(3) would refuse, seen before anything is started. A program in a scope is executed by a shell, whose status 126
// or 127 could as well be the program's own; so what can be known beforehand is told as the error that it is. The rest (a
// binary of another machine) is a command that ended with such a status and env's message.

import * as fs from 'node:fs'
import { resolve } from 'node:path'
import type { StartedFrom } from '../start-error.js'
import type { Request } from './bootstrap.js'

const pointerBytes = 8
/** What env(1) itself is called with. */
const ownBytes = 1024
/** execve(2): so much is always taken. */
const smallestLimit = 131_072

/** execvp(3): what is searched without a PATH. */
const defaultPath = '/bin:/usr/bin'

/** execve(2): MAX_ARG_STRLEN on machines with pages of 4 KiB, the final NUL included. */
const largestText = 131_072

/** The code of the error, such as `ENOENT`; null if nothing is seen to be wrong. */
export function programFault({ argv, cwd, environment }: StartedFrom & Request): string | null {
  const [program = ''] = argv
  return searchFault(program, cwd, environment.get('PATH') ?? defaultPath) ?? sizeFault({ argv, environment })
}

function searchFault(program: string, cwd: string, path: string): string | null {
  if (program.includes('/')) return fileFault(resolve(cwd, program))
  let fault = 'ENOENT'
  for (const folder of path.split(':')) {
    const found = fileFault(resolve(cwd, folder, program))
    if (found === null) return null
    // execvp goes on after these and tells the refusal rather than the absence.
    if (found === 'EACCES') fault = found
  }
  return fault
}

function fileFault(path: string): string | null {
  try {
    if (!fs.statSync(path).isFile()) return 'EACCES'
    fs.accessSync(path, fs.constants.X_OK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'ENOENT'
  }
  return interpreterFault(path)
}

/** A script whose interpreter is missing cannot be executed either (execve(2)). */
function interpreterFault(path: string): string | null {
  const [, interpreter] = /^#![ \t]*([^ \t\n\0]+)/.exec(head(path)) ?? []
  if (interpreter === undefined) return null
  try {
    fs.accessSync(interpreter, fs.constants.X_OK)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'ENOENT'
  }
}

/** As much as the kernel looks at; nothing of a file that may be executed but not read. */
function head(path: string): string {
  const buffer = Buffer.alloc(256)
  try {
    const fd = fs.openSync(path, 'r')
    try {
      fs.readSync(fd, buffer, 0, buffer.length, 0)
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return ''
  }
  return buffer.toString('latin1')
}

function sizeFault({ argv, environment }: Request): string | null {
  const variables = Array.from(environment, ([name, value]) => `${name}=${value}`)
  const sizes = [...argv, ...variables].map((text) => Buffer.byteLength(text))
  if (sizes.some((size) => size >= largestText)) return 'E2BIG'
  const total = sizes.reduce((sum, size) => sum + size + 1 + pointerBytes, ownBytes)
  return total > smallestLimit && total > totalLimit() ? 'E2BIG' : null
}

/** execve(2): a quarter of the stack limit, between 128 KiB and 6 MiB. */
function totalLimit(): number {
  const [, soft] = /^Max stack size +(\S+)/m.exec(fs.readFileSync('/proc/self/limits', 'latin1')) ?? []
  const quarter = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) / 4
  return Math.min(Math.max(quarter, smallestLimit), 6 * 1024 * 1024)
}
