// The checks of a request to open a terminal; what the subprocess seam checks anyway is left to it.

import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkSignal, checkText, isObject } from '../subprocess/preflight-values.js'
import { checkOwner } from './requests.js'
import type { TerminalOpenRequest } from './types.js'

const known: ReadonlySet<string> = new Set([
  'owner',
  'name',
  'backend',
  'cwd',
  'env',
  'rows',
  'cols',
  'sandboxPolicy',
  'signal'
] satisfies (keyof TerminalOpenRequest)[])

export function checkOpen(given: TerminalOpenRequest): TerminalOpenRequest {
  if (!isObject(given)) throw invalidType('request', given, 'must be an object')
  const request: TerminalOpenRequest = { ...given }
  checkKeys('', request, known)
  checkOwner(request.owner)
  if (request.name !== undefined) checkText('name', request.name)
  if (request.name === '') throw invalidType('name', request.name, 'must not be empty')
  if (request.backend !== undefined) checkText('backend', request.backend)
  checkSignal('signal', request.signal)
  return request
}
