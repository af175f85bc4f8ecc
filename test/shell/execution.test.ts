import { describe, expect, it } from 'vitest'
import { SubprocessError } from '../../src/errors/subprocess-error.js'
import { LocalBashExecutor, type LocalBashOptions } from '../../src/shell/local-bash.js'
import type { ShellExecRequest, ShellExecSpec, ShellExecution } from '../../src/shell/types.js'
import { ScriptedRuntime } from '../fixtures/shell/scripted-runtime.js'

interface Started {
  readonly runtime: ScriptedRuntime
  readonly execution: ShellExecution
}

async function start(
  request: Partial<ShellExecRequest> = {},
  options: Partial<LocalBashOptions> = {}
): Promise<Started> {
  const runtime = new ScriptedRuntime()
  const shell = new LocalBashExecutor({ subprocess: runtime, cwd: '/repo', ...options })
  return { runtime, execution: await shell.execute(shell.resolve({ command: 'echo hi', ...request })) }
}

const usage = {
  wallMs: 5,
  userMs: 1,
  systemMs: 2,
  maxRssBytes: 3,
  treeCpuMs: 4,
  memoryPeakBytes: null,
  pidsPeak: null,
  oomKills: null
}

describe('what is spawned', () => {
  it('is bash -c with the command, every field explicit', async () => {
    const { signal } = new AbortController()
    const { runtime } = await start({
      stdin: 'in',
      signal,
      timeoutMs: 70,
      stdoutMaxBytes: 9,
      env: { PAGER: 'less', TERM: undefined, DSH_A: 'lost' },
      dshEnv: { DSH_A: 'won' },
      leftovers: 'terminate'
    })
    expect(runtime.spawned).toEqual([
      {
        argv: ['bash', '-c', 'echo hi'],
        cwd: '/repo',
        stdio: {
          stdin: { data: 'in' },
          stdout: { maxBytes: 9, spill: { maxBytes: 67_108_864 } },
          stderr: { maxBytes: 64_000, spill: { maxBytes: 67_108_864 } },
          attachment: undefined
        },
        graceMs: 3_000,
        signal,
        env: { NO_COLOR: '1', TERM: undefined, PAGER: 'less', GIT_PAGER: 'cat', DSH_A: 'won' },
        deadlineMs: 70,
        leftovers: 'terminate'
      }
    ])
  })

  it('has no deadline with onExpiry none', async () => {
    const { runtime, execution } = await start({ timeoutMs: 70, onExpiry: 'none' })
    expect(runtime.spawned[0]?.deadlineMs).toBeUndefined()
    runtime.handle.exit({ exitCode: 0, signal: null })
    expect((await execution.result()).timeoutMs).toBe(70)
  })

  it.each(['-n echo x', '+x'])('takes the text %j as a command', async (command) => {
    const { runtime } = await start({ command })
    expect(runtime.spawned[0]?.argv).toEqual(['bash', '-c', '--', command])
  })

  it('hands a text over the kernel limit of one argument to descriptor 8, counted in bytes', async () => {
    const fits = `#${'é'.repeat(65_535)}`
    const short = await start({ command: fits })
    expect(short.runtime.spawned[0]).toMatchObject({ argv: ['bash', '-c', fits], stdio: { attachment: undefined } })
    const long = await start({ command: `${fits}x` })
    expect(long.runtime.spawned[0]?.stdio.attachment).toEqual({ data: `${fits}x` })
    expect(long.runtime.spawned[0]?.argv[2]?.length).toBeLessThan(200)
  })
})

describe('the result', () => {
  it('holds all facts', async () => {
    const { runtime, execution } = await start()
    const { handle } = runtime
    handle.collected.stdout.write('out\n')
    handle.collected.stdout.windowStart = 2
    handle.collected.stdout.spillPath = '/spill'
    handle.collected.stderr.spillError = new Error('full')
    handle.know({ usage, quiescent: true })
    handle.exit({ exitCode: 137, signal: null })
    expect(await execution.result()).toEqual({
      exitCode: 137,
      signal: null,
      innerSignal: 'SIGKILL',
      timedOut: false,
      aborted: false,
      timeoutMs: 120_000,
      quiescent: true,
      range: 'group',
      usage,
      stdout: { text: 't\n', truncated: true, totalBytes: 4, spillPath: '/spill' },
      stderr: { text: '', truncated: false, totalBytes: 0, spillError: new Error('full') }
    })
    expect([execution.status, execution.exitCode, execution.signal]).toEqual(['completed', 137, null])
  })

  it.each([
    [null, undefined],
    [0, undefined],
    [1, true]
  ])('tells of %o processes that were killed for want of memory: %o', async (oomKills, oomKilled) => {
    const { runtime, execution } = await start()
    runtime.handle.know({ usage: { ...usage, oomKills } })
    runtime.handle.exit({ exitCode: null, signal: 'SIGKILL' })
    const result = await execution.result()
    expect({ signal: result.signal, oomKilled: result.oomKilled }).toEqual({ signal: 'SIGKILL', oomKilled })
  })

  it('is the same value each time, made when it is first asked for', async () => {
    const { runtime, execution } = await start()
    runtime.handle.exit({ exitCode: 0, signal: null })
    await execution.done
    runtime.handle.collected.stdout.write('late')
    const first = await execution.result()
    runtime.handle.collected.stdout.write('too late')
    expect(first.stdout.text).toBe('late')
    expect(await execution.result()).toBe(first)
  })

  it.each([
    [128, undefined],
    [129, 'SIGHUP'],
    [130, 'SIGINT'],
    [143, 'SIGTERM'],
    [193, undefined],
    [255, undefined]
  ])('reads exit status %d as inner signal %s', async (exitCode, innerSignal) => {
    const { runtime, execution } = await start()
    runtime.handle.exit({ exitCode, signal: null })
    expect((await execution.result()).innerSignal).toBe(innerSignal)
  })

  it('is timedOut by the cause, even if the command traps TERM and exits 0', async () => {
    const { runtime, execution } = await start()
    runtime.handle.know({ cause: 'deadline' })
    runtime.handle.exit({ exitCode: 0, signal: null })
    expect(await execution.result()).toMatchObject({ exitCode: 0, timedOut: true, aborted: false })
    expect(execution.status).toBe('killed')
  })

  it('is neither when the command killed itself', async () => {
    const { runtime, execution } = await start()
    runtime.handle.exit({ exitCode: null, signal: 'SIGKILL' })
    expect(await execution.result()).toMatchObject({ signal: 'SIGKILL', timedOut: false, aborted: false })
    expect(execution.status).toBe('killed')
  })

  it('waits for the range with leftovers terminate, and not with keep', async () => {
    const kept = await start({ leftovers: 'keep' })
    kept.runtime.handle.exit({ exitCode: 0, signal: null })
    expect((await kept.execution.result()).quiescent).toBe(false)

    const { runtime, execution } = await start({ leftovers: 'terminate' })
    runtime.handle.exit({ exitCode: 0, signal: null })
    const result = execution.result()
    await execution.done
    expect(await Promise.race([result, Promise.resolve('waiting')])).toBe('waiting')
    runtime.handle.becomeEmpty()
    expect((await result).quiescent).toBe(true)
  })
})

describe('kill', () => {
  it('ends the range once, sets the status at once, and counts as an abort', async () => {
    const { runtime, execution } = await start()
    expect([execution.status, execution.kill(), execution.status, execution.kill()]).toEqual([
      'running',
      true,
      'killed',
      false
    ])
    runtime.handle.exit({ exitCode: 0, signal: null })
    expect(await execution.result()).toMatchObject({ exitCode: 0, signal: null, timedOut: false, aborted: true })
    expect([execution.status, runtime.handle.terminations]).toEqual(['killed', 1])
  })

  it('is false after the direct command has settled, although the range still lives', async () => {
    const { runtime, execution } = await start()
    runtime.handle.exit({ exitCode: 0, signal: null })
    await execution.done
    expect([execution.kill(), execution.status, runtime.handle.terminations]).toEqual([false, 'completed', 0])
  })
})

describe('a failed start', () => {
  const missing = new SubprocessError({ stage: 'chdir', errno: 2, argv0: 'bash', path: '/gone' })
  const nodes = Object.assign(new Error('spawn bash ENOENT'), { syscall: 'spawn bash' })

  it.each([
    [missing, `spawn failed: ${String(missing)}`],
    [nodes, 'spawn failed: Error: spawn bash ENOENT'],
    [new Error('lost'), 'subprocess failed before reporting an outcome: Error: lost'],
    ['text', 'subprocess failed before reporting an outcome: text'],
    [Object.create(null), 'subprocess failed before reporting an outcome: unprintable provider failure']
  ])('settles as killed with a note, and result() rejects with the error itself (%#)', async (error, note) => {
    const { runtime, execution } = await start()
    runtime.handle.reject(error)
    await execution.done
    expect([execution.status, execution.exitCode, execution.signal]).toEqual(['killed', null, null])
    await expect(execution.result()).rejects.toBe(error)
    expect(execution.readOutput()).toEqual({ delta: `[stderr]\n${note}`, lossy: false })
    expect(execution.readOutput()).toEqual({ delta: '', lossy: false })
    expect(execution.observed.stderr.readFrom(0).text).toBe(note)
    expect(execution.observed.stderr.readFrom(0).text).toBe(note)
  })

  it('puts the note after real stderr, on a line of its own', async () => {
    const { runtime, execution } = await start()
    runtime.handle.collected.stdout.write('out')
    runtime.handle.collected.stderr.write('real')
    expect(execution.readOutput().delta).toBe('out\n[stderr]\nreal')
    runtime.handle.reject(nodes)
    await execution.done
    expect(execution.readOutput().delta).toBe('[stderr]\n\nspawn failed: Error: spawn bash ENOENT')
    const { stderr } = execution.observed
    expect(stderr.readFrom(2)).toEqual({
      text: 'al\nspawn failed: Error: spawn bash ENOENT',
      nextOffset: 43,
      lossy: false
    })
    expect(Buffer.from(stderr.readBytesFrom(4).bytes).toString()).toBe('\nspawn failed: Error: spawn bash ENOENT')
    expect([stderr.totalBytes, stderr.readFrom(43).text, stderr.readFrom(99).nextOffset]).toEqual([43, '', 43])
  })

  it('that the provider throws at once is told the same way', async () => {
    const runtime = new ScriptedRuntime()
    runtime.refusal = new Error('no descriptors')
    const shell = new LocalBashExecutor({ subprocess: runtime, cwd: '/repo' })
    const execution = await shell.execute(shell.resolve({ command: ':' }))
    await execution.done
    expect([execution.status, execution.kill(), await execution.waitForExit()]).toEqual(['killed', false, true])
    expect(execution.readOutput().delta).toBe(
      '[stderr]\nsubprocess failed before reporting an outcome: Error: no descriptors'
    )
    await expect(execution.result()).rejects.toBe(runtime.refusal)
  })

  it.each([
    ['kill()', (_: AbortController, { execution }: Started) => void execution.kill()],
    ['the abort', (controller: AbortController) => controller.abort()]
  ])('after %s is how the command ended, not a failure', async (_title, stop) => {
    const controller = new AbortController()
    const started = await start({ signal: controller.signal })
    stop(controller, started)
    started.runtime.handle.reject(nodes)
    expect(await started.execution.result()).toMatchObject({
      exitCode: null,
      signal: null,
      timedOut: false,
      aborted: true,
      stderr: { text: '' }
    })
    expect(started.execution.status).toBe('killed')
  })
})

describe('reading', () => {
  it('consumes: no byte comes twice, stderr in its section, lossy reads name the files', async () => {
    const { runtime, execution } = await start()
    const { stdout, stderr } = runtime.handle.collected
    stdout.write('one\n')
    expect(execution.readOutput()).toEqual({ delta: 'one\n', lossy: false })
    stdout.write('two\n')
    stderr.write('bad\n')
    expect(execution.readOutput()).toEqual({ delta: 'two\n[stderr]\nbad\n', lossy: false })
    stdout.write('three, four')
    stdout.windowStart = 15
    stdout.spillPath = '/out'
    stderr.spillPath = '/err'
    expect(execution.readOutput()).toEqual({
      delta: 'four',
      lossy: true,
      stdoutSpillPath: '/out',
      stderrSpillPath: '/err'
    })
    runtime.handle.exit({ exitCode: 0, signal: null })
    await execution.done
    stderr.write('late')
    expect(execution.readOutput().delta).toBe('[stderr]\nlate')
    expect(execution.observed.stdout.readFrom(0).text).toBe('four')
  })
})

describe('a spec made by hand', () => {
  const valid: ShellExecSpec = {
    command: ':',
    workdir: '/repo',
    timeoutMs: 5,
    stdoutMaxBytes: 5,
    stderrMaxBytes: 5,
    maxSpillBytes: 5,
    graceMs: 5,
    onExpiry: 'kill',
    leftovers: 'keep'
  }

  it('runs when it is complete, with its own values and no cap', async () => {
    const runtime = new ScriptedRuntime()
    await new LocalBashExecutor({ subprocess: runtime, maxTimeoutMs: 1 }).execute(valid)
    expect(runtime.spawned[0]).toMatchObject({ deadlineMs: 5, graceMs: 5, stdio: { stderr: { maxBytes: 5 } } })
  })

  it.each([
    ['command', 'a\0'],
    ['workdir', undefined],
    ['timeoutMs', 2_147_483_648],
    ['timeoutMs', 0],
    ['stdoutMaxBytes', undefined],
    ['stderrMaxBytes', -1],
    ['maxSpillBytes', 'x'],
    ['graceMs', Number.NaN],
    ['onExpiry', undefined],
    ['leftovers', undefined],
    ['limits', 5],
    ['limit', {}]
  ])('is refused with %s %s by a rejection, and nothing runs', async (field, value) => {
    const runtime = new ScriptedRuntime()
    const spec = { ...valid, [field]: value } as ShellExecSpec
    const execution = new LocalBashExecutor({ subprocess: runtime }).execute(spec)
    await expect(execution).rejects.toMatchObject({ code: 'EINVAL', option: `spec.${field}`, value })
    expect(runtime.spawned).toEqual([])
  })

  it.each([null, undefined, 5])('is refused when it is %s', async (spec) => {
    const shell = new LocalBashExecutor({ subprocess: new ScriptedRuntime() })
    await expect(shell.execute(spec as unknown as ShellExecSpec)).rejects.toMatchObject({ code: 'EINVAL' })
  })
})

it('rejects with the reason of a signal that has already aborted, and spawns nothing', async () => {
  const runtime = new ScriptedRuntime()
  const shell = new LocalBashExecutor({ subprocess: runtime })
  const reason = new Error('changed my mind')
  await expect(shell.run({ command: ':', signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(runtime.spawned).toEqual([])
})
