import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { bash, specOf } from '../specs.js'
import { finished, success } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime
  let folder: string

  beforeAll(() => {
    runtime = provider.create()
    folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'start-test-')))
  })

  afterAll(async () => {
    await runtime.dispose()
    fs.rmSync(folder, { recursive: true })
  })

  describe('what a command gets', () => {
    it('is its argv, untouched by any shell', async () => {
      const args = ['', ' a  b ', '$HOME', '*', '"\'`', '-n', 'ü😀', 'two\nlines']
      const handle = runtime.spawn(specOf(['bash', '-c', 'printf "<%s>" "$@"', 'name', ...args]))
      const stdout = args.map((arg) => `<${arg}>`).join('')
      expect(await finished(handle)).toEqual({ outcome: success, stdout, stderr: '' })
    })

    it('is its working folder', async () => {
      expect(await finished(runtime.spawn(bash('pwd -P', { cwd: folder })))).toEqual({
        outcome: success,
        stdout: `${folder}\n`,
        stderr: ''
      })
    })

    it('is a program found on its own PATH', async () => {
      fs.writeFileSync(join(folder, 'only-here'), '#!/bin/sh\necho found\n', { mode: 0o755 })
      const handle = runtime.spawn(specOf(['only-here'], { env: { PATH: `${folder}:/usr/bin:/bin` } }))
      expect(await finished(handle)).toEqual({ outcome: success, stdout: 'found\n', stderr: '' })
    })

    it('is a process group and session of its own', async () => {
      const handle = runtime.spawn(bash('read -r _ _ _ _ group session _ < /proc/self/stat; echo "$$ $group $session"'))
      const { pid } = handle
      expect(await finished(handle)).toEqual({ outcome: success, stdout: `${pid} ${pid} ${pid}\n`, stderr: '' })
    })

    it('is default signal handling and nothing blocked', async () => {
      const handle = runtime.spawn(bash('exec grep -E "^Sig(Blk|Ign)" /proc/self/status'))
      const none = '0000000000000000'
      expect(await finished(handle)).toEqual({
        outcome: success,
        stdout: `SigBlk:\t${none}\nSigIgn:\t${none}\n`,
        stderr: ''
      })
    })
  })

  describe('the environment', () => {
    afterEach(() => {
      for (const name of ['MY_API_KEY', 'DSH_THING', 'PLAIN_THING', 'HTTPS_PROXY']) delete process.env[name]
    })

    it('is the scrubbed one of the host with the overrides over it', async () => {
      Object.assign(process.env, { MY_API_KEY: 'secret', DSH_THING: 'x', PLAIN_THING: 'host' })
      const show = `echo "\${MY_API_KEY-none} \${DSH_THING-none} \${PLAIN_THING-none} \${HOME-none} \${GIVEN_TOKEN-none}"`
      const seen = async (env: Record<string, string | undefined>) =>
        (await finished(runtime.spawn(bash(show, { env })))).stdout
      expect([await seen({}), await seen({ GIVEN_TOKEN: 't', PLAIN_THING: undefined, DSH_THING: 'd' })]).toEqual([
        `none none host ${process.env.HOME} none\n`,
        `none d none ${process.env.HOME} t\n`
      ])
    })

    it('carries the proxy in both spellings and tells Node to use it', async () => {
      process.env.HTTPS_PROXY = 'http://proxy.invalid:3128'
      const handle = runtime.spawn(bash('echo "$HTTPS_PROXY $https_proxy $NODE_USE_ENV_PROXY"'))
      expect((await finished(handle)).stdout).toBe('http://proxy.invalid:3128 http://proxy.invalid:3128 1\n')
    })

    it('has no variable that nobody named', async () => {
      const handle = runtime.spawn(specOf(['env', '-0'], { env: { ONE: '=1=\n' } }))
      const names = (await finished(handle)).stdout.split('\0').map((entry) => entry.split('=')[0])
      const allowed = new Set([...Object.keys(process.env), 'ONE', ''])
      expect(names.filter((name) => !allowed.has(name ?? ''))).toEqual([])
    })
  })

  describe('bad input', () => {
    it('throws from spawn, before anything exists', () => {
      const witness = join(folder, 'witness')
      const spec = specOf(['touch', witness])
      const signal = AbortSignal.abort('user')
      const cases = [
        [{ ...spec, graceMs: 0 }, 'subprocess graceMs must be a positive finite number no greater than 2147483647'],
        [{ ...spec, signal }, 'aborted before spawn: user'],
        [{ ...spec, argv: [''] }, 'invalid argv: expected a non-empty program name at argv[0]'],
        [{ ...spec, argv: ['touch', `${witness}\0`] }, 'must not contain a NUL byte (offset'],
        [{ ...spec, limits: { pids: 0 } }, 'limits.pids must be a positive integer'],
        [{ ...spec, limit: {} }, 'limit is an unknown option']
      ] as const
      for (const [bad, message] of cases) expect(() => runtime.spawn(bad)).toThrow(message)
      expect(fs.existsSync(witness)).toBe(false)
    })
  })

  describe('a start that fails', () => {
    const failureOf = async (spec: Parameters<SubprocessRuntime['spawn']>[0]) => {
      const handle = runtime.spawn(spec)
      const error = (await handle.done.catch((reason: unknown) => reason)) as Record<string, unknown>
      const { code, errno, syscall, path, stage } = error
      handle.terminate()
      return {
        error: { isError: error instanceof Error, code, errno, syscall, path, stage },
        pid: handle.pid,
        empty: await handle.waitForExit(),
        facts: handle.facts,
        reads: [handle.collected.stdout?.readFrom(0), handle.collected.stderr?.readFrom(0)],
        ended: [handle.collected.stdout?.ended, handle.collected.stderr?.ended]
      }
    }
    const failed = (error: object) => {
      const nothing = { text: '', nextOffset: 0, lossy: false }
      return {
        error: { isError: true, ...error },
        pid: -1,
        empty: true,
        facts: { range: runtime.range.kind, cause: null, quiescent: true, usage: null },
        reads: [nothing, nothing],
        ended: [true, true]
      }
    }

    it('for a missing program names the program', async () => {
      const error = {
        code: 'ENOENT',
        errno: -2,
        syscall: 'spawn no-such-program',
        path: 'no-such-program',
        stage: 'exec'
      }
      expect(await failureOf(specOf(['no-such-program']))).toEqual(failed(error))
    })

    it('for a file that cannot be executed names the file', async () => {
      const path = join(folder, 'data')
      fs.writeFileSync(path, 'text', { mode: 0o644 })
      const error = { code: 'EACCES', errno: -13, syscall: `spawn ${path}`, path, stage: 'exec' }
      expect(await failureOf(specOf([path]))).toEqual(failed(error))
    })

    it('for a missing working folder names the folder, never the program', async () => {
      const path = join(folder, 'missing')
      const error = { code: 'ENOENT', errno: -2, syscall: 'chdir', path, stage: 'chdir' }
      expect(await failureOf(specOf(['true'], { cwd: path }))).toEqual(failed(error))
    })

    it('for a working folder that is a file says so', async () => {
      const error = { code: 'ENOTDIR', errno: -20, syscall: 'chdir', path: '/etc/passwd', stage: 'chdir' }
      expect(await failureOf(specOf(['true'], { cwd: '/etc/passwd' }))).toEqual(failed(error))
    })

    it('for an argument over the limit of the kernel is no synchronous throw', async () => {
      const error = { code: 'E2BIG', errno: -7, syscall: 'spawn true', path: 'true', stage: 'exec' }
      expect(await failureOf(specOf(['true', 'x'.repeat(200_000)]))).toEqual(failed(error))
    })

    it('leaves raw streams that have ended', async () => {
      const handle = runtime.spawn(
        specOf(['no-such-program'], { stdio: { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', control: 'pipe' } })
      )
      const error = await handle.done.catch(({ code }: { code: string }) => code)
      const texts: string[] = []
      for (const stream of [handle.stdout, handle.stderr]) {
        for await (const chunk of stream ?? []) texts.push(String(chunk))
      }
      expect({ error, texts, writable: handle.stdin?.writable, control: handle.control?.writable }).toEqual({
        error: 'ENOENT',
        texts: [],
        writable: false,
        control: false
      })
    })
  })
})
