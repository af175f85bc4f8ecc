import { describe, expect, it } from 'vitest'
import { describeEachHost } from './host-providers.js'
import { clean, runTraced } from './traced.js'

const nodeArguments = ['--expose-gc']

const collect = `
  const collect = async () => {
    for (let round = 0; round < 5; round++) {
      await pause(10)
      gc()
    }
  }`

describeEachHost((provider) => {
  describe('a handle that the garbage collector may have', () => {
    it('before its command ended takes nothing from the command, whose output and end still come', async () => {
      const body = `
        ${collect}
        const ctx = await createContext(options)
        let { observed: { stdout }, done } = await start(ctx, 'sleep 0.5; seq 1 1000; exit 3')
        const inherit = { stdin: 'ignore', stdout: 'inherit', stderr: 'ignore' }
        ctx.subprocess.spawn({ argv: ['bash', '-c', 'sleep 0.4; echo forgotten'], cwd: '/', graceMs: 500, stdio: inherit })
        await collect()
        await done
        console.log(stdout.readFrom(0).text.length, stdout.ended)`
      expect(await runTraced(provider, body, { nodeArguments })).toEqual(clean('forgotten\n3893 true\n'))
    })

    it('before its command ended still obeys its deadline and its signal, and is ended by the disposal', async () => {
      const body = `
        ${collect}
        const ctx = await createContext(options)
        const controller = new AbortController()
        const marks = []
        const begin = async (name, parts) => {
          const execution = await saying(await start(ctx, 'echo up; exec sleep ' + marker, parts))
          void execution.result().then(({ aborted, timedOut }) => marks.push([name, aborted, timedOut].join()))
        }
        await begin('deadline', { timeoutMs: 300 })
        await begin('signal', { signal: controller.signal })
        await begin('disposal')
        await collect()
        controller.abort()
        while (marks.length < 2) await collect()
        await ctx.dispose()
        await pause(0)
        console.log(marks.sort().join(' '))`
      expect(await runTraced(provider, body, { nodeArguments })).toEqual(
        clean('deadline,false,true disposal,true,false signal,true,false\n')
      )
    })

    it('after its command ended is collected, its streams too, while a reader that is kept goes on reading', async () => {
      const body = `
        ${collect}
        const ctx = await createContext(options)
        let collected = 0
        const registry = new FinalizationRegistry(() => { collected += 1 })
        const run = async () => {
          const execution = await start(ctx, 'seq 1 100; seq 1 10 >&2')
          registry.register(execution)
          await execution.result()
          return execution.observed.stdout
        }
        const piped = async () => {
          const stdio = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', control: 'pipe' }
          const handle = ctx.subprocess.spawn({ argv: ['cat'], cwd: '/', graceMs: 500, stdio })
          registry.register(handle)
          for (const name of ['stdout', 'stderr', 'control']) handle[name].resume()
          handle.control.end()
          handle.stdin.end('x')
          await handle.done
          await handle.waitForExit()
        }
        const kept = await run()
        for (let count = 0; count < 9; count++) await run()
        for (let count = 0; count < 5; count++) await piped()
        const limit = performance.now() + 10000
        while (collected < 15 && performance.now() < limit) await collect()
        console.log(collected, kept.readFrom(0).text.length)
        await ctx.dispose()
        console.log(kept.readFrom(0).text.length)`
      expect(await runTraced(provider, body, { nodeArguments })).toEqual(clean('15 292\n292\n'))
    })
  })
})
