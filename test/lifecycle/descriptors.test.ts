import { describe, expect, it } from 'vitest'
import { describeEachHost } from './host-providers.js'
import { clean, runTraced } from './traced.js'

// Node raises the soft limit to the hard one, so that is what is lowered. What this process has inherited without
// close-on-exec is closed: on the fallback the commands would inherit it too.
const closing = 'for fd in /proc/self/fd/*; do fd=${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done'
const launcher = ['bash', '-c', `${closing}; ulimit -n 1024; exec "$@"`, 'bash']

const crowded = `
  import { openSync, readdirSync } from 'node:fs'
  while (readdirSync('/proc/self/fd').length < 900) openSync('/dev/null')
  const ctx = await createContext(options)
  const run = async (count, atOnce, command = 'echo /proc/self/fd/*') => {
    const ends = []
    const lane = async () => {
      while (count-- > 0) {
        const end = ctx.shell.run({ command }).then(({ stdout }) => stdout.text, (error) => error)
        ends.push(await end)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    return ends
  }`

describeEachHost((provider) => {
  describe('a host with 900 of 1,024 descriptors in use', () => {
    it('runs commands, which see none of them', async () => {
      const body = `${crowded}
        const ends = await run(24, 6)
        console.log(ends.length, ends.every((text) => /^(?:.proc.self.fd.[0-38] ?)+\\n$/.test(text)) || ends)
        await ctx.dispose()`
      expect(await runTraced(provider, body, { launcher })).toEqual(clean('24 true\n'))
    })

    it('refuses with EMFILE what it has no descriptors for, and is as before when they are over', async () => {
      const body = `${crowded}
        await run(2, 1)
        const before = readdirSync('/proc/self/fd').length
        // They live until all have been tried.
        const refused = (await run(64, 64, 'sleep 2')).filter((end) => typeof end !== 'string')
        const unclear = refused.filter(({ code, stage }) => code !== 'EMFILE' || !['stdio', 'range', 'clone'].includes(stage))
        console.log(refused.length > 0, unclear.map(String))
        const ends = await run(6, 3)
        console.log(ends.every((end) => typeof end === 'string') || ends)
        await ctx.dispose()
        const limit = performance.now() + 5000
        while (readdirSync('/proc/self/fd').length > before && performance.now() < limit) await pause(10)
        console.log(readdirSync('/proc/self/fd').length <= before)`
      expect(await runTraced(provider, body, { launcher })).toEqual(clean('true []\ntrue\ntrue\n'))
    })
  })
})
