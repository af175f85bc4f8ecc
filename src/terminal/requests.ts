// What a registry is asked, checked and with every default filled in. By hand: the registry must not need a schema library.

import { maxTimerDelayMs } from '../errors/contract-texts.js'
import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkSignal, checkText, checkWellFormed, isObject } from '../subprocess/preflight-values.js'
import type { Typing } from './owned-terminal.js'
import { defaultReadLines, largestRead, smallestRead } from './settings.js'
import type { TerminalOwner, TerminalReadRequest, TerminalSendRequest } from './types.js'

const sendKeys = new Set(['id', 'owner', 'text', 'enter', 'timeoutMs', 'signal', 'maxBytes'])
const readKeys = new Set(['id', 'owner', 'position', 'lines', 'maxBytes'])

export function checkOwner(owner: unknown): asserts owner is TerminalOwner {
  if (owner !== undefined) checkText('owner', owner)
}

export function checkAccess(request: unknown): void {
  if (!isObject(request)) throw invalidType('request', request, 'must be an object')
  checkText('id', request.id)
  checkOwner(request.owner)
}

export function typingOf(request: TerminalSendRequest, defaultTimeoutMs: number): Typing {
  checkAccess(request)
  checkKeys('', request, sendKeys)
  const { text, enter = true, timeoutMs = defaultTimeoutMs, signal, maxBytes = largestRead } = request
  if (typeof text !== 'string') throw invalidType('text', text, 'must be a string')
  checkWellFormed('text', text)
  if (typeof enter !== 'boolean') throw invalidType('enter', enter, 'must be a boolean')
  checkTimeout(timeoutMs)
  checkSignal('signal', signal)
  checkMaxBytes(maxBytes)
  return { text, enter, timeoutMs, signal, maxBytes }
}

export function checkRead(request: TerminalReadRequest): { lines: number; maxBytes: number; position?: number } {
  checkAccess(request)
  checkKeys('', request, readKeys)
  const { position, lines = defaultReadLines, maxBytes = largestRead } = request
  checkMaxBytes(maxBytes)
  checkCount('lines', lines, 1)
  if (position === undefined) return { lines, maxBytes }
  checkCount('position', position, 0)
  return { lines, maxBytes, position }
}

export function checkTimeout(timeoutMs: unknown): void {
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= maxTimerDelayMs) return
  const refuse = typeof timeoutMs === 'number' ? invalidRange : invalidType
  throw refuse('timeoutMs', timeoutMs, `must be a positive finite number no greater than ${maxTimerDelayMs}`)
}

function checkMaxBytes(value: unknown): void {
  if (Number.isInteger(value) && (value as number) >= smallestRead && (value as number) <= largestRead) return
  const refuse = typeof value === 'number' ? invalidRange : invalidType
  throw refuse('maxBytes', value, `must be an integer from ${smallestRead} to ${largestRead}`)
}

function checkCount(option: string, value: unknown, smallest: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= smallest) return
  const refuse = typeof value === 'number' ? invalidRange : invalidType
  throw refuse(option, value, `must be a safe integer of at least ${smallest}`)
}
