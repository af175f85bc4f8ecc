// What the methods of the registry are given, checked and read once: what is checked is what is used.

import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkSignal, checkSize, checkText, hasFields, isObject } from '../subprocess/preflight-values.js'
import { checkDuration } from './options.js'
import type {
  JobAccess,
  JobAnnouncement,
  JobCursor,
  JobKillRequest,
  JobOwner,
  JobReadRequest,
  JobWaitRequest
} from './types.js'

const specKeys: ReadonlySet<string> = new Set(['kind', 'label', 'owner', 'outputLimitBytes', 'run'])
const beginning: JobCursor = Object.freeze({ stdout: 0, stderr: 0 })

export function checkId(id: unknown): asserts id is string {
  if (typeof id !== 'string') throw invalidType('id', id, 'must be a string')
}

export function checkOwner(option: string, owner: unknown): asserts owner is JobOwner {
  checkText(option, owner)
  if (owner === '') throw invalidType(option, owner, 'must not be empty')
}

function checkName(option: string, name: unknown): void {
  checkText(option, name)
  if (name.trim() === '') throw invalidType(option, name, 'must not be blank')
}

/** Whose job it is: what is asked first. The rest of the announcement is still to be checked. */
export function readAnnouncement(spec: JobAnnouncement): JobAnnouncement {
  if (!hasFields(spec)) throw invalidType('spec', spec, 'must be a JobSpec')
  checkKeys('spec', spec, specKeys)
  const { kind, label, owner, outputLimitBytes } = spec as JobAnnouncement
  if (owner !== undefined) checkOwner('spec.owner', owner)
  return { kind, label, owner, outputLimitBytes }
}

export function checkAnnouncement({ kind, label, outputLimitBytes }: JobAnnouncement): void {
  checkName('spec.kind', kind)
  checkName('spec.label', label)
  if (outputLimitBytes !== undefined) checkSize('spec.outputLimitBytes', outputLimitBytes)
}

/** The own fields of a request, which may be left out. */
function fieldsOf<Request extends JobAccess>(request: Request | undefined, names: readonly (keyof Request & string)[]) {
  if (request === undefined) return {} as Request
  if (!hasFields(request)) throw invalidType('request', request, 'must be an object')
  checkKeys('request', request, new Set<string>(['owner', ...names]))
  const own = { ...(request as Request) }
  if (own.owner !== undefined) checkOwner('request.owner', own.owner)
  return own
}

export function readAccess(access: JobAccess | undefined): JobAccess {
  return fieldsOf<JobAccess>(access, [])
}

export function readKillRequest(request: JobKillRequest | undefined): JobKillRequest {
  const own = fieldsOf(request, ['reason'])
  if (own.reason !== undefined && typeof own.reason !== 'string') {
    throw invalidType('request.reason', own.reason, 'must be a string')
  }
  return own
}

export function readWaitRequest(request: JobWaitRequest | undefined): JobWaitRequest {
  const own = fieldsOf(request, ['timeoutMs', 'signal'])
  if (own.timeoutMs !== undefined) checkDuration('request.timeoutMs', own.timeoutMs, true)
  checkSignal('request.signal', own.signal)
  return own
}

export function readReadRequest(request: JobReadRequest | undefined): JobReadRequest & { readonly from: JobCursor } {
  const own = fieldsOf(request, ['from', 'maxBytes'])
  if (own.maxBytes !== undefined) checkSize('request.maxBytes', own.maxBytes)
  return { ...own, from: own.from === undefined ? beginning : readCursor(own.from) }
}

function readCursor(cursor: unknown): JobCursor {
  if (!isObject(cursor)) throw invalidType('request.from', cursor, 'must be a JobCursor')
  const { stdout, stderr } = cursor
  return { stdout: readOffset('stdout', stdout), stderr: readOffset('stderr', stderr) }
}

function readOffset(stream: 'stdout' | 'stderr', offset: unknown): number {
  if (Number.isSafeInteger(offset) && (offset as number) >= 0) return offset as number
  const make = typeof offset === 'number' ? invalidRange : invalidType
  throw make(`request.from.${stream}`, offset, 'must be a safe integer that is not negative')
}
