import { expect, it } from 'vitest'
import { runHost } from './host.js'
import { describeEachHost } from './host-providers.js'

// The fallback pays for the memory of its host with each fork.
const commandCounts = { native: 5000, node: 500 }

describeEachHost((provider) => {
  const commandCount = commandCounts[provider]
  it(`has after ${commandCount} commands, 64 at a time, and its disposal no more than after the first hundred`, {
    timeout: 300_000
  }, async () => {
    const body = `
      import { readdirSync, readFileSync } from 'node:fs'
      import { setFlagsFromString } from 'node:v8'
      import { runInNewContext } from 'node:vm'
      setFlagsFromString('--expose-gc')
      const collectGarbage = runInNewContext('gc')
      const own = new RegExp('^quiesce-(?:pipes-)?' + process.pid + '-')
      const folders = ['/tmp', '/sys/fs/cgroup', '/sys/fs/cgroup/unified'].filter((path) => {
        try { return readdirSync(path) } catch { return false }
      })
      const state = () => ({
        descriptors: readdirSync('/proc/self/fd').length,
        threads: readdirSync('/proc/self/task').length,
        children: readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim(),
        folders: folders.flatMap((path) => readdirSync(path).filter((name) => own.test(name))).length
      })
      const spec = { ...bash(''), argv: ['true'] }
      const run = async (count) => {
        const lane = async () => {
          while (count-- > 0) {
            const handle = runtime.spawn(spec)
            const outcome = await handle.done
            if (outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome))
          }
        }
        await Promise.all(Array.from({ length: 64 }, lane))
        for (let round = 0; round < 5; round++) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          collectGarbage()
        }
      }
      const memory = () => ({ heapBytes: process.memoryUsage().heapUsed, residentBytes: process.memoryUsage.rss() })
      await run(100)
      const first = { ...state(), ...memory() }
      await run(${commandCount - 100})
      const last = { ...state(), ...memory() }
      await runtime.dispose()
      const after = state()
      console.log(JSON.stringify({ first, last, after }))`
    const { code, stdout, stderr } = await runHost(provider, body)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { first, last, after } = JSON.parse(stdout)
    expect(after).toMatchObject({ children: '', folders: 0 })
    expect(after.descriptors).toBeLessThanOrEqual(first.descriptors)
    expect(after.threads).toBeLessThanOrEqual(first.threads)
    // One kilobyte that is kept of each of 5,000 commands would be five times that.
    expect(last.heapBytes - first.heapBytes).toBeLessThan(1024 * 1024)
    // A young process still grows to its working size, whose greater part the allocators keep.
    expect(last.residentBytes - first.residentBytes).toBeLessThan(48 * 1024 * 1024)
  })
})
