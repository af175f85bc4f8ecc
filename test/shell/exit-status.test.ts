import { describe, expect, it } from 'vitest'
import { appendExitStatus, formatExitStatus, parseExitStatus } from '../../src/shell/exit-status.js'

describe('exit-status lines', () => {
  it.each([
    ['out\n[exit code: 3]', { body: 'out', exitCode: 3, signal: null }],
    ['out\n\n[exit code: 0]', { body: 'out\n', exitCode: 0, signal: null }],
    ['out\n[killed by signal: SIGKILL]', { body: 'out', exitCode: null, signal: 'SIGKILL' }],
    ['\n[exit code: 1]', { body: '', exitCode: 1, signal: null }],
    ['[exit code: 1]', { body: '[exit code: 1]', exitCode: 0, signal: null }],
    ['out [exit code: 1]', { body: 'out [exit code: 1]', exitCode: 0, signal: null }],
    ['out\n[exit code: 1]\n', { body: 'out\n[exit code: 1]\n', exitCode: 0, signal: null }],
    ['out\n[exit code: x]', { body: 'out\n[exit code: x]', exitCode: 0, signal: null }],
    ['out\n[timed out after 5ms]\n[exit code: 1]', { body: 'out\n[timed out after 5ms]', exitCode: 1, signal: null }],
    [
      'out\n[exit code: 1]\n[killed by signal: SIGTERM]',
      { body: 'out\n[exit code: 1]', exitCode: null, signal: 'SIGTERM' }
    ],
    ['', { body: '', exitCode: 0, signal: null }]
  ])('splits %j', (text, parsed) => {
    expect(parseExitStatus(text)).toEqual(parsed)
  })

  it.each([
    [{ exitCode: 0, signal: null }, null, 'out'],
    [{ exitCode: 3, signal: null }, '[exit code: 3]', 'out\n[exit code: 3]'],
    [{ exitCode: null, signal: 'SIGTERM' }, '[killed by signal: SIGTERM]', 'out\n[killed by signal: SIGTERM]'],
    [{ exitCode: null, signal: null }, null, 'out']
  ])('formats %j so that it reads back', (status, marker, text) => {
    expect(formatExitStatus(status)).toBe(marker)
    expect(appendExitStatus('out', status)).toBe(text)
    if (marker !== null) expect(parseExitStatus(text)).toEqual({ body: 'out', ...status })
  })
})
