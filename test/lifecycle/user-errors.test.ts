// Exceptions in what the user gave to be called. Where the user handles them nothing has changed for any command.

import { describe, expect, it } from 'vitest'
import { copyOf } from './copies.js'
import { describeEachHost } from './host-providers.js'
import { clean, nothing, runTraced } from './traced.js'

const handled = `process.on('uncaughtException', (error) => console.log('uncaught', error.message))`

describeEachHost((provider) => {
  describe('an exception', () => {
    it('in a listener on the abort signal of a command does not keep the command from its end', async () => {
      const body = `
        ${handled}
        const ctx = await createContext(options)
        const controller = new AbortController()
        const fail = () => { throw new Error('listener') }
        controller.signal.addEventListener('abort', fail)
        const signal = controller.signal
        const both = await Promise.all([1, 2].map(async () => saying(await start(ctx, 'echo up; sleep ' + marker, { signal }))))
        controller.signal.addEventListener('abort', fail)
        controller.abort()
        for (const one of both) {
          const { aborted, signal, quiescent } = await one.result()
          console.log(aborted, signal, quiescent)
        }
        await ctx.dispose()`
      expect(await runTraced(provider, body)).toEqual(
        clean('uncaught listener\ntrue SIGTERM true\ntrue SIGTERM true\n')
      )
    })

    it('in a listener on a raw stream leaves the command and the others as they are', async () => {
      const body = `
        ${handled}
        const ctx = await createContext(options)
        const pipes = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', control: 'pipe' }
        const argv = ['bash', '-c', 'echo out; read -r line; echo err >&2; echo control >&7; exit 3']
        const handle = ctx.subprocess.spawn({ argv, cwd: '/', graceMs: 500, stdio: pipes })
        const other = await sleeper(ctx)
        const closed = ['stdout', 'stderr', 'control'].map((name) => {
          handle[name].once('data', () => { throw new Error(name) })
          return new Promise((resolve) => handle[name].on('close', resolve))
        })
        handle.stdin.end('line\\n', () => { throw new Error('stdin') })
        console.log(JSON.stringify(await handle.done), other.status)
        handle.control.end()
        await Promise.all(closed)
        await ctx.dispose()`
      const { end, left } = await runTraced(provider, body)
      expect({ ...end, stdout: end.stdout.trim().split('\n').sort(), left }).toEqual({
        code: 0,
        signal: null,
        stdout: [
          'uncaught control',
          'uncaught stderr',
          'uncaught stdin',
          'uncaught stdout',
          '{"exitCode":3,"signal":null} running'
        ],
        stderr: '',
        left: nothing
      })
    })

    it('in what waits for a command ends the host as usual when nobody handles it, and the commands with it', async () => {
      const body = `
        const ctx = await createContext(options)
        await Promise.all([sleeper(ctx), stubborn(ctx)])
        void ctx.shell.run({ command: 'true' }).then(() => { throw new Error('waiter') })`
      const { end, left } = await runTraced(provider, body)
      expect({ code: end.code, told: end.stderr.includes('Error: waiter'), left }).toEqual({
        code: 1,
        told: true,
        left: nothing
      })
    })

    it('of a request, of its settings or of its preparation is that of the call, and nothing is started', async () => {
      const url = copyOf('errors')
      const executor = JSON.stringify(new URL('../shell/local-bash.js', url).href)
      const body = `
        const { LocalBashExecutor } = await import(${executor})
        const ctx = await createContext(options)
        const text = (error) => error.message
        const fail = (message) => { throw new Error(message) }
        const subprocess = ctx.subprocess
        let broken = false
        const live = new LocalBashExecutor({ subprocess, settings: () => broken ? fail('settings') : undefined })
        broken = true
        try { live.resolve({ command: ':' }) } catch (error) { console.log(text(error)) }
        class Preparing extends LocalBashExecutor { async prepare() { fail('preparation') } }
        class Refusing extends LocalBashExecutor { prepare() { fail('refusal') } }
        for (const Executor of [Preparing, Refusing]) {
          const executor = new Executor({ subprocess })
          console.log(await executor.run({ command: 'sleep ' + marker }).catch(text))
        }
        console.log(await ctx.shell.run({ get command() { return fail('command') } }).catch(text))
        const spec = { argv: ['sleep', marker], cwd: '/', graceMs: 1, get stdio() { return fail('stdio') } }
        try { subprocess.spawn(spec) } catch (error) { console.log(text(error)) }
        console.log((await ctx.shell.run({ command: 'echo fine' })).stdout.text.trim())
        await ctx.dispose()`
      const expected = 'settings\npreparation\nrefusal\ncommand\nstdio\nfine\n'
      expect(await runTraced(provider, body, { url })).toEqual(clean(expected))
    })
  })
})

describe('an exception in onWarning', () => {
  it('is the rejection of createContext, and the next context works', async () => {
    const url = copyOf('without-addon', { addon: false })
    const body = `
      const auto = { ...options, subprocess: { provider: 'auto' } }
      const onWarning = ({ code }) => { throw new Error('told of ' + code) }
      console.log(await createContext({ ...auto, onWarning }).catch((error) => error.message))
      const ctx = await createContext(auto)
      console.log((await ctx.shell.run({ command: 'echo fine' })).stdout.text.trim())
      await ctx.dispose()`
    expect(await runTraced('node', body, { url })).toEqual(clean('told of QUIESCE_FALLBACK\nfine\n'))
  })
})
