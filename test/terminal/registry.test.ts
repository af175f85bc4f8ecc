import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SandboxPolicyService } from '../../src/sandbox/policy-service.js'
import { SandboxProvider } from '../../src/sandbox/provider.js'
import type { SandboxMode } from '../../src/sandbox/types.js'
import type { SubprocessRuntime } from '../../src/subprocess/runtime.js'
import { LocalTerminalRegistry } from '../../src/terminal/local-registry.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import { describeEachProvider } from '../subprocess/behaviour/providers.js'

/** Starts the command unconfined, and records what it was asked. */
class RecordingSandbox extends SandboxProvider {
  readonly asked: unknown[] = []

  async confine(argv: readonly string[], policy: { mode: SandboxMode }) {
    this.asked.push([argv[0], policy.mode])
    const none = { notGoverned: [], denialSignatures: [], runnerFailureRules: [] }
    return { argv: ['/usr/bin/env', ...argv], enforcement: 'full' as const, backend: 'test', ...none }
  }
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (error: { code?: unknown }) => error.code
  )

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime
  let terminals: LocalTerminalRegistry

  beforeAll(() => {
    runtime = provider.create()
    terminals = new LocalTerminalRegistry({ subprocess: runtime, cwd: tmpdir() })
  })

  afterEach(() => Promise.all(terminals.list().map(({ id }) => terminals.close({ id }))))

  afterAll(async () => {
    await terminals.dispose()
    await runtime.dispose()
  })

  const opened = async (): Promise<string> => (await terminals.open()).id

  describe('a terminal of the registry', () => {
    it('is listed once it is usable, with what is known of it, under an id of its own', async () => {
      const first = await terminals.open({ name: 'one' })
      const second = await terminals.open({ cwd: '/usr' })
      expect(first).toEqual({
        id: expect.stringMatching(/^pty-\d+$/),
        name: 'one',
        owner: undefined,
        backend: 'bash',
        pid: expect.any(Number),
        cwd: tmpdir(),
        state: 'open',
        outcome: undefined
      })
      expect(terminals.list()).toEqual([first, second])
      expect(second.id).not.toBe(first.id)
      expect((await terminals.send({ id: second.id, text: 'pwd' })).output).toContain('/usr\n')
    })

    it('belongs to its owner alone', async () => {
      const { id } = await terminals.open({ owner: 'a', name: 'same' })
      await terminals.open({ owner: 'b', name: 'same' })
      expect(await codeOf(terminals.open({ owner: 'a', name: 'same' }))).toBe('DUPLICATE_NAME')
      expect(await codeOf(terminals.send({ id, owner: 'b', text: 'x' }))).toBe('FOREIGN_SESSION')
      expect(await codeOf(terminals.close({ id }))).toBe('FOREIGN_SESSION')
      expect(() => terminals.read({ id })).toThrow(`terminal ${id} belongs to another session`)
      expect(terminals.list('b').map(({ owner }) => owner)).toEqual(['b'])
      expect(await codeOf(terminals.send({ id: 'pty-9999', text: 'x' }))).toBe('NO_SESSION')
      await Promise.all([terminals.disposeOwner('a'), terminals.disposeOwner('b')])
      expect([...terminals.list('a'), ...terminals.list('b')]).toEqual([])
    })

    it('can be closed twice, and takes everything with it', async () => {
      const id = await opened()
      const marker = sleepMarker()
      await terminals.send({ id, text: `sleep ${marker} & sleep ${marker}`, timeoutMs: 300 })
      await until(() => running(marker).length === 2)
      await Promise.all([terminals.close({ id }), terminals.close({ id })])
      await terminals.close({ id })
      expect(running(marker)).toEqual([])
      expect(terminals.list()).toEqual([])
      expect(await codeOf(terminals.close({ id: 'pty-9999' }))).toBe('NO_SESSION')
    })

    it('that cannot become usable leaves nothing behind', async () => {
      const dead = { name: 'dead', launch: () => ({ argv: ['bash', '-c', 'echo why; exit 7'], env: {}, prompt: '> ' }) }
      const marker = sleepMarker()
      const slow = { name: 'slow', launch: () => ({ argv: ['sleep', marker], env: {}, prompt: '> ' }) }
      const own = new LocalTerminalRegistry({ subprocess: runtime, backends: [dead, slow] })
      await expect(own.open({ backend: 'dead' })).rejects.toThrow('while it was being opened (exit code 7): why')
      const stop = new AbortController()
      const opening = own.open({ backend: 'slow', signal: stop.signal })
      await until(() => running(marker).length === 1)
      expect(own.list()).toEqual([])
      stop.abort(new Error('not wanted'))
      await expect(opening).rejects.toThrow('not wanted')
      expect(running(marker)).toEqual([])
      const another = own.open({ backend: 'slow', owner: 'x' })
      await until(() => running(marker).length === 1)
      const gone = own.disposeOwner('x')
      expect(await codeOf(own.open({ owner: 'x' }))).toBe('OWNER_NOT_LIVE')
      expect(await codeOf(another)).toBe('OWNER_NOT_LIVE')
      await gone
      await own.dispose()
      expect(await codeOf(own.open())).toBe('SERVICE_DISPOSING')
      expect(running(marker)).toEqual([])
      expect(await codeOf(own.open({ backend: 'none' }))).toBe('SERVICE_DISPOSING')
    })

    it('needs a backend that exists, once', async () => {
      expect(await codeOf(terminals.open({ backend: 'none' }))).toBe('NO_BACKEND')
      const backends = [{ name: 'bash', launch: () => ({ argv: ['sh'], env: {} }) }]
      expect(() => new LocalTerminalRegistry({ subprocess: runtime, backends })).toThrow(
        'there is a terminal backend "bash" already'
      )
    })
  })

  describe('a send', () => {
    it('returns with the prompt, long before any silence would', async () => {
      const id = await opened()
      const began = performance.now()
      const result = await terminals.send({ id, text: 'echo $((6 * 7))' })
      expect(result).toEqual({
        reason: 'stdin_read',
        output: expect.stringMatching(/42\ndsh> $/),
        truncated: false,
        position: expect.any(Number),
        continuation: false,
        outcome: undefined
      })
      expect(performance.now() - began).toBeLessThan(2900)
    })

    it('returns at the continuation prompt of an unfinished command, and says so', async () => {
      const id = await opened()
      expect(await terminals.send({ id, text: 'cat <<EOF' })).toMatchObject({
        reason: 'stdin_read',
        continuation: true
      })
      expect(await terminals.send({ id, text: "echo 'abc" })).toMatchObject({ continuation: true })
      const end = await terminals.send({ id, text: 'EOF' })
      expect(end).toMatchObject({ reason: 'stdin_read', continuation: false })
      expect(end.output).toContain("echo 'abc\ndsh> ")
    })

    it('waits for the last of several lines', async () => {
      const id = await opened()
      const { output } = await terminals.send({ id, text: 'echo o-ne\nsleep 0.4\necho t-wo' })
      expect(output).toMatch(/o-ne\n[\s\S]*\nt-wo\ndsh> $/)
    })

    it('returns when a program waits for input, and the next one answers it', async () => {
      const id = await opened()
      const asked = await terminals.send({ id, text: 'read -p "name? " -r name; echo "<$name>"' })
      expect(asked).toMatchObject({ reason: 'stdin_read', output: expect.stringMatching(/name\? $/) })
      expect((await terminals.send({ id, text: 'me' })).output).toContain('<me>\n')
      const cat = await terminals.send({ id, text: 'cat' })
      expect(cat.reason).toBe('stdin_read')
      expect((await terminals.send({ id, text: 'line' })).output).toBe('line\nline\n')
    })

    it('says when it only infers that the terminal is idle, and when the time is over', async () => {
      const id = await opened()
      const marker = sleepMarker()
      expect((await terminals.send({ id, text: `sleep ${marker}`, timeoutMs: 400 })).reason).toBe('timeout')
      const began = performance.now()
      expect((await terminals.send({ id, text: '' })).reason).toBe('inferred_idle')
      expect(performance.now() - began).toBeGreaterThan(2900)
      expect(running(marker)).toHaveLength(1)
    })

    it('tells how the shell ended, whose text can still be read', async () => {
      const id = await opened()
      const result = await terminals.send({ id, text: 'echo la"st"; exit 5' })
      expect(result).toMatchObject({ reason: 'session_exit', outcome: { exitCode: 5, signal: null } })
      expect(terminals.list()[0]).toMatchObject({ state: 'exited', outcome: { exitCode: 5, signal: null } })
      expect(terminals.read({ id }).text).toContain('last\n')
      expect(await codeOf(terminals.send({ id, text: 'x' }))).toBe('SESSION_EXITED')
    })

    it('is one at a time', async () => {
      const id = await opened()
      const first = terminals.send({ id, text: 'sleep 0.5' })
      expect(await codeOf(terminals.send({ id, text: 'echo x' }))).toBe('SEND_ACTIVE')
      expect(terminals.list()[0]?.state).toBe('sending')
      await first
      expect((await terminals.send({ id, text: 'echo t"w"o' })).output).toContain('two\n')
    })

    it('that is cancelled interrupts what runs, by a signal, and is over only with the prompt', async () => {
      const id = await opened()
      const marker = sleepMarker()
      const stop = new AbortController()
      // In raw mode a control character would only be read.
      const sending = terminals.send({ id, text: `stty raw; sleep ${marker}; stty sane`, signal: stop.signal })
      await until(() => running(marker).length === 1)
      stop.abort(new Error('enough'))
      expect(await codeOf(terminals.send({ id, text: 'x' }))).toBe('SEND_ACTIVE')
      await expect(sending).rejects.toThrow('enough')
      expect(running(marker)).toEqual([])
      expect((await terminals.send({ id, text: 'stty sane; echo a"ft"er' })).output).toContain('after\n')
    })

    it('refuses a line of which a program would get only a part, but not at the prompt', async () => {
      const id = await opened()
      const long = 'x'.repeat(5000)
      expect((await terminals.send({ id, text: `echo ${long} | wc -c` })).output).toContain('5001\n')
      await terminals.send({ id, text: 'cat' })
      await expect(terminals.send({ id, text: long })).rejects.toMatchObject({
        code: 'LINE_TOO_LONG',
        message: expect.stringContaining('line 1 of the text has 5001 bytes')
      })
      expect((await terminals.send({ id, text: 'ok' })).output).toBe('ok\nok\n')
    })

    it('bounds its output and keeps the end', async () => {
      const id = await opened()
      const result = await terminals.send({ id, text: 'seq 1 100000', maxBytes: 64 })
      expect({ ...result, output: result.output.endsWith('99999\n100000\ndsh> ') }).toMatchObject({
        output: true,
        truncated: true
      })
      expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(64)
    })
  })

  describe('reading', () => {
    it('consumes nothing, and goes on from a position', async () => {
      const id = await opened()
      const { position } = await terminals.send({ id, text: 'echo o"n"e' })
      await terminals.send({ id, text: 'echo t"w"o' })
      const later = terminals.read({ id, position })
      expect(later.text).toBe('echo t"w"o\ntwo\ndsh> ')
      expect(terminals.read({ id, position })).toEqual(later)
      expect(terminals.read({ id, position: later.position })).toMatchObject({ text: '', lossy: false })
      expect(terminals.read({ id, lines: 2 }).text).toBe('two\ndsh> ')
    })
  })

  it('signals what is in the foreground, whose prompt is not that of the next send', async () => {
    const id = await opened()
    for (let round = 0; round < 5; round += 1) {
      const marker = sleepMarker()
      await terminals.send({ id, text: `sleep ${marker}`, timeoutMs: 200 })
      await until(() => running(marker).length === 1)
      const [pid] = running(marker)
      expect(terminals.signal({ id, signal: 'SIGINT' })).toBe(pid)
      const { output } = await terminals.send({ id, text: `sleep 0.1; echo a"ft"er ${round}` })
      expect(output).toContain(`after ${round}\n`)
      expect(running(marker)).toEqual([])
    }
  })

  it('confines the shell by the policy of its opening, and fences the mode of its session', async () => {
    const sandbox = new RecordingSandbox()
    const sandboxPolicy = new SandboxPolicyService({ mode: 'workspace-write', workspaceRoot: tmpdir() })
    const own = new LocalTerminalRegistry({ subprocess: runtime, sandbox, sandboxPolicy })
    const modes: SandboxMode[] = []
    const session = {
      id: 's',
      sandboxModes: modes,
      append: (event: { mode: SandboxMode }) => void modes.push(event.mode)
    }
    const { id } = await own.open({ owner: 's' })
    expect((await own.send({ id, owner: 's', text: 'echo o"k"' })).output).toContain('ok\n')
    expect(sandbox.asked).toEqual([['/bin/bash', 'workspace-write']])
    const refused = sandboxPolicy.setSandboxMode(session, 'read-only')
    await expect(refused).rejects.toThrow('cannot set the sandbox mode: a terminal of this session is open')
    expect(await codeOf(refused)).toBe('SANDBOX_MODE_FENCED')
    await own.close({ id, owner: 's' })
    await sandboxPolicy.setSandboxMode(session, 'read-only')
    expect(modes).toEqual(['read-only'])
    await own.dispose()
  })

  it('names a wrong option and its value', async () => {
    await expect(terminals.open({ rows: 0 })).rejects.toThrow('rows must be an integer from 1 to 65535; got 0')
    await expect(terminals.open({ wrong: 1 } as never)).rejects.toThrow('wrong is an unknown option; got 1')
    const id = 'pty-1'
    await expect(terminals.send({ id, text: 5 } as never)).rejects.toThrow('text must be a string; got 5')
    await expect(terminals.send({ id, text: '', maxBytes: 63 })).rejects.toThrow('from 64 to 262144; got 63')
    expect(() => terminals.read({ id, lines: 0 })).toThrow('lines must be a safe integer of at least 1; got 0')
    expect(() => new LocalTerminalRegistry({ subprocess: runtime, timings: { pollMs: 0 } })).toThrow('timings.pollMs')
  })
})
