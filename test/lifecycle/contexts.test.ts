import { describe, expect, it } from 'vitest'
import { describeEachHost } from './host-providers.js'
import { clean, nothing, runTraced } from './traced.js'

describeEachHost((provider) => {
  describe('a context', () => {
    it('that is disposed twice at once and once more ends its commands once, and refuses new ones', async () => {
      const body = `
        const ctx = await createContext(options)
        const execution = await stubborn(ctx)
        await Promise.all([ctx.dispose(), ctx.dispose(), ctx.subprocess.dispose()])
        await ctx.dispose()
        const { aborted, timedOut, signal, quiescent } = await execution.result()
        console.log(aborted, timedOut, signal, quiescent)
        console.log(await ctx.shell.run({ command: ':' }).catch((error) => error.message))
        console.log(await ctx.shell.run({ command: ':' }).catch((error) => error.message))`
      const refused = 'cannot spawn: the subprocess runtime has been disposed\n'
      expect(await runTraced(provider, body)).toEqual(clean(`true false SIGKILL true\n${refused}${refused}`))
    })

    it('that is disposed while its commands are being started ends each, whether it had started or not', async () => {
      const body = `
        const ctx = await createContext(options)
        const spec = {
          argv: ['sleep', marker], cwd: '/', graceMs: 500, stdio: { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }
        }
        const handles = Array.from({ length: 20 }, () => ctx.subprocess.spawn(spec))
        await ctx.dispose()
        for (const handle of handles) {
          const end = await handle.done.then(({ signal }) => signal, (error) => error.code)
          if (!['SIGTERM', 'SIGKILL', 'ECANCELED'].includes(end)) console.log('ended by', end)
          if (!handle.facts.quiescent || !(await handle.waitForExit())) console.log('not empty')
        }
        console.log('over')`
      expect(await runTraced(provider, body)).toEqual(clean('over\n'))
    })

    it('that exits with its host while its commands are being started leaves none of them', async () => {
      const body = `
        const ctx = await createContext(options)
        for (let count = 0; count < 20; count++) void start(ctx, 'sleep ' + marker)
        setImmediate(() => process.exit(7))`
      const { end, left } = await runTraced(provider, body)
      expect({ code: end.code, stderr: end.stderr, left }).toEqual({ code: 7, stderr: '', left: nothing })
    })

    it('that ends before a command it was asked for tells the command as aborted, its output still readable', async () => {
      const body = `
        async function hasty() {
          const ctx = await createContext(options)
          try {
            return await sleeper(ctx)
          } finally {
            await ctx.dispose()
          }
        }
        const execution = await hasty()
        const { aborted, signal, quiescent, stdout } = await execution.result()
        console.log(aborted, signal, quiescent, JSON.stringify(stdout.text), execution.readOutput().delta.trim())`
      expect(await runTraced(provider, body)).toEqual(clean('true SIGTERM true "up\\n" up\n'))
    })

    it('that nobody disposes of and whose command never ends holds its host until somebody ends the host', async () => {
      const body = `
        await sleeper(await createContext(options))
        setTimeout(() => { console.log('still here'); process.exit(0) }, 300).unref()`
      expect(await runTraced(provider, body)).toEqual(clean('still here\n'))
    })

    it('does not harm another one of the same host by its end', async () => {
      const body = `
        const [one, two] = [await createContext(options), await createContext(options)]
        const [first, second] = [await stubborn(one), await spilling(two)]
        await one.dispose()
        console.log((await first.result()).aborted, second.status, (await two.shell.run({ command: 'echo x' })).stdout.text.trim())
        await two.dispose()
        console.log((await second.result()).aborted)`
      expect(await runTraced(provider, body)).toEqual(clean('true running x\ntrue\n'))
    })
  })

  describe('an exception in mid-command', () => {
    it.each([
      ['process.exit', 'process.exit(23)', 23, ''],
      ['an uncaught exception', 'setImmediate(() => { throw new Error("boom") })', 1, 'Error: boom'],
      ['a rejection that nobody handles', 'void Promise.reject(new Error("boom"))', 1, 'Error: boom'],
      ['an error at the top of the module', 'throw new Error("boom")', 1, 'Error: boom']
    ])('or an end by %s leaves nothing of commands of every kind', async (_title, ending, code, told) => {
      const body = `
        const ctx = await createContext(options)
        await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx), start(ctx, 'yes ' + marker)])
        ${ending}`
      const { end, left } = await runTraced(provider, body)
      expect({ code: end.code, told: end.stderr.includes(told), left }).toEqual({ code, told: true, left: nothing })
    })
  })
})
