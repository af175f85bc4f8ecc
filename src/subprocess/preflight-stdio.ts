// The part of the preflight that is about descriptors: modes, budgets and data.

import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkSize, checkWellFormed, isObject } from './preflight-values.js'

const stdioKeys = new Set(['stdin', 'stdout', 'stderr', 'control', 'attachment'])
const collectKeys = new Set(['maxBytes', 'spill'])
const spillKeys = new Set(['maxBytes'])
const dataKeys = new Set(['data'])

export function checkStdio(stdio: unknown): void {
  if (!isObject(stdio)) throw invalidType('stdio', stdio, 'must be an object')
  checkKeys('stdio', stdio, stdioKeys)
  checkInput(stdio.stdin)
  checkOutput('stdio.stdout', stdio.stdout)
  checkOutput('stdio.stderr', stdio.stderr)
  if (stdio.control !== undefined && stdio.control !== 'pipe') {
    throw invalidType('stdio.control', stdio.control, "must be 'pipe' or undefined")
  }
  if (stdio.attachment !== undefined) checkData('stdio.attachment', stdio.attachment, 'must be { data }')
}

function checkInput(mode: unknown): void {
  if (mode === 'ignore' || mode === 'pipe') return
  checkData('stdio.stdin', mode, "must be 'ignore', 'pipe' or { data }")
}

function checkData(option: string, value: unknown, problem: string): void {
  if (!isObject(value) || !('data' in value)) throw invalidType(option, value, problem)
  checkKeys(option, value, dataKeys)
  if (value.data instanceof Uint8Array) return
  if (typeof value.data !== 'string')
    throw invalidType(`${option}.data`, value.data, 'must be a string or a Uint8Array')
  checkWellFormed(option, value.data, 'data')
}

function checkOutput(option: string, mode: unknown): void {
  if (mode === 'ignore' || mode === 'pipe' || mode === 'inherit') return
  if (!isObject(mode)) throw invalidType(option, mode, "must be 'ignore', 'pipe', 'inherit' or { maxBytes, spill? }")
  checkKeys(option, mode, collectKeys)
  checkSize(`${option}.maxBytes`, mode.maxBytes)
  if (mode.spill === undefined) return
  if (!isObject(mode.spill)) throw invalidType(`${option}.spill`, mode.spill, 'must be { maxBytes }')
  checkKeys(`${option}.spill`, mode.spill, spillKeys)
  checkSize(`${option}.spill.maxBytes`, mode.spill.maxBytes)
}
