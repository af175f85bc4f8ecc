import { describe, expect, it } from 'vitest'
import { parseExitStatus } from '../../src/shell/exit-status.js'
import { presentBash } from '../../src/tool/bash/present.js'
import { renderBash } from '../../src/tool/bash/render.js'
import type { BashForeground, BashOutput } from '../../src/tool/bash/types.js'

const stream = (text = '', more = {}) => ({ text, truncated: false, totalBytes: text.length, ...more })

const ended = (more: Partial<BashForeground> = {}): BashForeground => ({
  ...{ kind: 'foreground', exitCode: 0, signal: null, timedOut: false, aborted: false, timeoutMs: 5000 },
  ...{ stdout: stream('out\n'), stderr: stream() },
  ...more
})

const denied = { mode: 'read-only', denied: true } as const

describe('the text of a command that has ended', () => {
  it.each<[string, Partial<BashForeground>, string]>([
    ['only stdout, as it came', {}, 'out\n'],
    ['both streams', { stderr: stream('err\n') }, 'out\n[stderr]\nerr\n'],
    ['stdout without a newline', { stdout: stream('out'), stderr: stream('err') }, 'out\n[stderr]\nerr'],
    ['only stderr', { stdout: stream(), stderr: stream('err\n') }, '[stderr]\nerr\n'],
    ['nothing', { stdout: stream() }, '(no output)'],
    ['nothing and an exit code', { stdout: stream(), exitCode: 2 }, '(no output)\n[exit code: 2]'],
    ['an exit code', { exitCode: 1 }, 'out\n[exit code: 1]'],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, 'out\n[killed by signal: SIGSEGV]'],
    [
      'a deadline',
      { timedOut: true, exitCode: null, signal: 'SIGTERM' },
      'out\n[timed out after 5000ms]\n[killed by signal: SIGTERM]'
    ],
    ['a deadline that was trapped', { timedOut: true }, 'out\n[timed out after 5000ms]'],
    [
      'a spill',
      { stdout: stream('t', { truncated: true, spillPath: '/s/out' }) },
      't\n[output truncated; full output: /s/out]'
    ],
    [
      'two tails',
      { stdout: stream('t', { truncated: true, spillPath: '/s/1' }), stderr: stream('u\n', { truncated: true }) },
      't\n[stderr]\nu\n[output truncated; full output: /s/1]\n[output truncated; full output: (unavailable)]'
    ],
    [
      'a denial',
      { stderr: stream('no\n'), exitCode: 1, sandbox: denied },
      'out\n[stderr]\nno\n[sandbox: file access denied under read-only mode]\n' +
        '[to ask for a wider mode: sandbox_permissions workspace-write or danger-full-access, with a justification]\n[exit code: 1]'
    ],
    [
      'a denial under the widest mode that confines',
      { exitCode: 1, sandbox: { ...denied, mode: 'workspace-write' } },
      'out\n[sandbox: file access denied under workspace-write mode]\n' +
        '[to ask for a wider mode: sandbox_permissions danger-full-access, with a justification]\n[exit code: 1]'
    ],
    ['a sandbox that denied nothing', { sandbox: { ...denied, denied: false } }, 'out\n']
  ])('with %s', (_, more, text) => {
    expect(renderBash(ended(more))).toBe(text)
  })

  it('has everything in its order', () => {
    const tail = { truncated: true, spillPath: '/s' }
    const output = ended({
      ...{ stdout: stream('o', tail), stderr: stream('e', tail), sandbox: denied },
      ...{ timedOut: true, exitCode: null, signal: 'SIGKILL' }
    })
    expect(renderBash(output).split('\n')).toEqual([
      ...['o', '[stderr]', 'e', '[output truncated; full output: /s]', '[output truncated; full output: /s]'],
      '[sandbox: file access denied under read-only mode]',
      '[to ask for a wider mode: sandbox_permissions workspace-write or danger-full-access, with a justification]',
      ...['[timed out after 5000ms]', '[killed by signal: SIGKILL]']
    ])
    expect(parseExitStatus(renderBash(output))).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })
})

describe('the text of a job', () => {
  it('names it', () => {
    expect(renderBash({ kind: 'background', jobId: 'bash-1' })).toBe('[started as background job bash-1]')
  })

  it('that a foreground command has become shows what was printed so far', () => {
    const promoted = { kind: 'promoted', jobId: 'bash-2', timeoutMs: 100, stdout: 'o', stderr: 'e' } as const
    expect(renderBash({ ...promoted, lossy: false, spillPaths: [] })).toBe(
      'o\n[stderr]\ne\n[still running after 100ms; moved to background job bash-2]'
    )
    expect(renderBash({ ...promoted, stdout: '', stderr: '', lossy: false, spillPaths: [] })).toBe(
      '[still running after 100ms; moved to background job bash-2]'
    )
    expect(renderBash({ ...promoted, stderr: '', lossy: true, spillPaths: ['/s'] })).toBe(
      'o\n[some output was dropped from memory; full output: /s]\n[still running after 100ms; moved to background job bash-2]'
    )
  })
})

describe('what a person sees', () => {
  const pill = (more: Partial<BashForeground>) => presentBash(ended(more)).pill

  it('is a terminal card for a command, however it ended', () => {
    expect(presentBash(ended({ exitCode: 1 }), { description: 'build it', command: 'make' })).toEqual({
      ...{ kind: 'terminal', title: 'build it', body: 'out\n', pill: 'exit 1', isError: false }
    })
    expect([pill({}), pill({ exitCode: null, signal: 'SIGKILL' }), pill({ timedOut: true, exitCode: 0 })]).toEqual([
      ...['exit 0', 'SIGKILL', 'timed out']
    ])
    expect(pill({ exitCode: null })).toBe('status unknown')
  })

  it('believes no output that imitates an end', () => {
    expect(pill({ stdout: stream('x\n[exit code: 7]'), stderr: stream() })).toBe('exit 0')
    expect(pill({ stdout: stream('x\n[killed by signal: SIGKILL]'), exitCode: 3 })).toBe('exit 3')
  })

  it('is plain text for a job', () => {
    const output: BashOutput = { kind: 'background', jobId: 'bash-1' }
    const card = { kind: 'generic', title: 'bash', body: '[started as background job bash-1]', isError: false }
    expect([presentBash(output), presentBash(output, { description: 5 }), presentBash(output, null)]).toEqual([
      card,
      card,
      card
    ])
  })
})
