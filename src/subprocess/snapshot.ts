// A spec or request as it is at one moment: every field is read once, so what is checked is what is used, whatever getters
// and proxies would answer the second time. What they throw goes to the caller, before anything exists.

import { invalidType } from '../errors/invalid-input.js'
import { hasFields, isObject } from './preflight-values.js'
import type { SubprocessSpawnSpec } from './types.js'

/** The own fields of `value`; everything but an object of options is what it is. */
function fields(value: unknown): unknown {
  return isObject(value) && !Array.isArray(value) && !ArrayBuffer.isView(value) ? { ...value } : value
}

/** Values by name. What has none that would be seen (a list, a Map, a promise) is left to the checks. */
export function snapshotFields(value: unknown): unknown {
  return hasFields(value) ? { ...value } : value
}

/** Up to the first element that no list of strings can hold, where the checks will stop too. */
export function snapshotList(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  const copy: unknown[] = []
  for (let index = 0; index < list.length; index += 1) {
    if (typeof copy[copy.push(list[index]) - 1] !== 'string') break
  }
  return copy
}

function snapshotOutput(mode: unknown): unknown {
  const own = fields(mode)
  return isObject(own) && own.spill !== undefined ? { ...own, spill: fields(own.spill) } : own
}

function snapshotStdio(stdio: unknown): unknown {
  const own = fields(stdio)
  if (!isObject(own)) return own
  const { stdin, stdout, stderr, attachment } = own
  return {
    ...own,
    stdin: fields(stdin),
    stdout: snapshotOutput(stdout),
    stderr: snapshotOutput(stderr),
    attachment: fields(attachment)
  }
}

/** @throws TypeError if `spec` is no object; its fields are still to be checked. */
export function snapshotSpec(spec: unknown): SubprocessSpawnSpec {
  const own = fields(spec)
  if (!isObject(own) || Array.isArray(own)) throw invalidType('spec', spec, 'must be an object')
  const { argv, stdio, env, limits } = own
  const copy: unknown = {
    ...own,
    argv: snapshotList(argv),
    stdio: snapshotStdio(stdio),
    env: snapshotFields(env),
    limits: snapshotFields(limits)
  }
  return copy as SubprocessSpawnSpec
}
