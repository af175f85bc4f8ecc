// A system call of the core that failed, as an error with Node's fields.

import { getSystemErrorMap } from 'node:util'
import type { NativeSystemError } from '../../native/binding.js'

/** `trouble` says what could not be done, as the beginning of a sentence. */
export function systemError({ errno, syscall, path }: NativeSystemError, trouble: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${trouble}: ${describeSystemError({ errno, syscall, path })}`)
  error.code = nameOf(errno)
  error.errno = -errno
  error.syscall = syscall
  if (path !== '') error.path = path
  return error
}

/** Such as `permission denied (EACCES, mkdir "/sys/fs/cgroup")`. */
export function describeSystemError({ errno, syscall, path }: NativeSystemError): string {
  const words = getSystemErrorMap().get(-errno)?.[1] ?? 'unknown error'
  return `${words} (${nameOf(errno)}, ${syscall}${path === '' ? '' : ` ${JSON.stringify(path)}`})`
}

function nameOf(errno: number): string {
  return getSystemErrorMap().get(-errno)?.[0] ?? `E${errno}`
}
