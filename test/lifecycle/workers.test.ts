import { describe, expect, it } from 'vitest'
import { describeEachHost } from './host-providers.js'
import { clean, nothing, runTraced } from './traced.js'

/** Three threads that each say what their commands said, and end by themselves. */
const threeThreads = `
  const run = async (ctx, name) => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => ctx.shell.run({ command: 'echo ' + name + n })))
    return results.every(({ stdout, exitCode }, n) => stdout.text.trim() === name + n && exitCode === 0)
  }`

describeEachHost((provider) => {
  describe('worker threads', () => {
    it('run commands beside the main thread, each its own, and end by themselves', async () => {
      const body = `
        ${threeThreads}
        const threads = ['a', 'b', 'c'].map((name) => thread(\`
          ${threeThreads.replaceAll('`', '\\`')}
          const ctx = await createContext(options)
          const right = await run(ctx, '\${name}')
          await ctx.dispose()
          port.postMessage(right)\`))
        const ends = threads.map((one) => new Promise((resolve) => one.on('exit', resolve)))
        const said = threads.map((one) => new Promise((resolve) => one.once('message', resolve)))
        const ctx = await createContext(options)
        console.log(await run(ctx, 'main'), ...(await Promise.all(said)), ...(await Promise.all(ends)))
        console.log(await run(ctx, 'again'))
        await ctx.dispose()`
      expect(await runTraced(provider, body)).toEqual(clean('true true true true 0 0 0\ntrue\n'))
    })

    it.each([
      ['process.exit', 'process.exit(4)', 4, ''],
      ['an uncaught exception', 'setImmediate(() => { throw new Error("boom") })', 1, 'boom']
    ])(
      'that end by %s in mid-command take their commands with them and nobody else’s',
      async (_title, end, code, told) => {
        const body = `
        const ctx = await createContext(options)
        const own = await start(ctx, 'echo up; read -r line; echo got $line', { stdin: 'it' })
        const other = await start(ctx, 'while :; do echo x; sleep 0.1; done')
        const dying = thread(\`
          const ctx = await createContext(options)
          await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx)])
          ${end}\`)
        dying.on('error', (error) => console.log(error.message))
        console.log(await new Promise((resolve) => dying.on('exit', resolve)))
        console.log((await own.result()).stdout.text.trim(), other.status)
        await ctx.dispose()`
        const expected = `${told === '' ? '' : `${told}\n`}${code}\nup\ngot it running\n`
        expect(await runTraced(provider, body)).toEqual(clean(expected))
      }
    )
  })

  // The fallback hears nothing of these ends, as README.md says.
  if (provider === 'node') return
  describe('worker threads that are ended from outside in mid-command', () => {
    it('leave nothing, and the commands of other threads go on', async () => {
      const body = `
        const ctx = await createContext(options)
        const other = await start(ctx, 'while :; do echo x; sleep 0.1; done')
        for (let round = 0; round < 3; round++) {
          const doomed = thread(\`
            const ctx = await createContext(options)
            await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx), start(ctx, 'yes ' + marker)])
            void start(ctx, 'sleep ' + marker)
            port.postMessage('up')\`)
          await new Promise((resolve) => doomed.once('message', resolve))
          console.log(await doomed.terminate(), other.status, (await ctx.shell.run({ command: 'echo on' })).stdout.text.trim())
        }
        await ctx.dispose()`
      expect(await runTraced(provider, body)).toEqual(clean('1 running on\n'.repeat(3)))
    })

    it('at any moment of a flood of starts leave nothing', async () => {
      const body = `
        for (const delay of [0, 5, 20, 60]) {
          const doomed = thread(\`
            const ctx = await createContext(options)
            port.postMessage('up')
            for (;;) await Promise.all(Array.from({ length: 8 }, () => ctx.shell.run({ command: 'echo ' + marker })))\`)
          await new Promise((resolve) => doomed.once('message', resolve))
          await pause(delay)
          console.log(await doomed.terminate())
        }`
      expect(await runTraced(provider, body)).toEqual(clean('1\n1\n1\n1\n'))
    })

    it('by the exit of the main thread leave nothing', async () => {
      const body = `
        const ctx = await createContext(options)
        await sleeper(ctx)
        const one = thread(\`
          const ctx = await createContext(options)
          await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx)])
          port.postMessage('up')\`)
        await new Promise((resolve) => one.once('message', resolve))
        process.exit(23)`
      const { end, left } = await runTraced(provider, body)
      expect({ end, left }).toEqual({ end: { code: 23, signal: null, stdout: '', stderr: '' }, left: nothing })
    })
  })
})
