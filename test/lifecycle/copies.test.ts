import { describe, expect, it } from 'vitest'
import { copyOf } from './copies.js'
import { describeEachHost } from './host-providers.js'
import { clean, nothing, runTraced } from './traced.js'

const two = (other: string): string => `
  const { createContext: createOther } = await import(${JSON.stringify(other)})
  const one = await createContext(options)
  const two = await createOther(options)
  console.log(createOther !== createContext, one.subprocess.range.kind === two.subprocess.range.kind)`

describeEachHost((provider) => {
  describe('two copies of the package in one process', () => {
    it('each run, end and clean up their own commands', async () => {
      const [url, other] = [copyOf('one'), copyOf('two')]
      const body = `
        ${two(other)}
        const [a, b, c, d] = [await stubborn(one), await spilling(two), await sleeper(one), await stubborn(two)]
        const outputs = await Promise.all([one, two, one, two].map((ctx, n) => ctx.shell.run({ command: 'echo ' + n })))
        console.log(outputs.map(({ stdout }) => stdout.text.trim()).join())
        await one.dispose()
        console.log((await a.result()).signal, b.status, (await c.result()).signal, d.status)
        console.log((await two.shell.run({ command: 'echo on' })).stdout.text.trim())
        await two.dispose()
        console.log((await b.result()).aborted, (await d.result()).quiescent)`
      const expected = 'true true\n0,1,2,3\nSIGKILL running SIGTERM running\non\ntrue true\n'
      expect(await runTraced(provider, body, { url })).toEqual(clean(expected))
    })

    it('both kill what they own when the process exits', async () => {
      const [url, other] = [copyOf('one'), copyOf('two')]
      const body = `
        ${two(other)}
        await Promise.all([stubborn(one), spilling(two), sleeper(one), stubborn(two)])
        process.exit(23)`
      const { end, left } = await runTraced(provider, body, { url })
      expect({ end, left }).toEqual({
        end: { code: 23, signal: null, stdout: 'true true\n', stderr: '' },
        left: nothing
      })
    })
  })
})
