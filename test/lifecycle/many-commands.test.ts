import { expect, it } from 'vitest'
import type { HostState, Memory } from '../soak/host-state.js'
import { runHost } from './host.js'
import { hostModule } from './host-module.js'
import { describeEachHost } from './host-providers.js'

// The fallback pays for the memory of its host with each fork.
const commandCounts = { native: 5000, node: 500 }

type Told = Record<'first' | 'last', HostState & Memory> & { readonly after: HostState }

describeEachHost((provider) => {
  const commandCount = commandCounts[provider]
  it(`has after ${commandCount} commands, 64 at a time, and its disposal no more than after the first hundred`, {
    timeout: 300_000
  }, async () => {
    const body = `
      import { hostState, inLanes, memory } from ${hostModule('test/soak/host-state.ts')}
      const spec = { ...bash(''), argv: ['true'] }
      const once = async () => {
        const outcome = await runtime.spawn(spec).done
        if (outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome))
      }
      const run = async (count) => {
        await inLanes(64, () => (count-- > 0 ? once() : null))
        const used = await memory()
        return { ...hostState(), ...used }
      }
      const first = await run(100)
      const last = await run(${commandCount - 100})
      await runtime.dispose()
      console.log(JSON.stringify({ first, last, after: hostState() }))`
    const { code, stdout, stderr } = await runHost(provider, body)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { first, last, after } = JSON.parse(stdout) as Told
    expect(after).toMatchObject({ children: [], cgroupFolders: [], spillFiles: [] })
    expect(after.descriptors.length).toBeLessThanOrEqual(first.descriptors.length)
    expect(after.threads.length).toBeLessThanOrEqual(first.threads.length)
    // One kilobyte that is kept of each of 5,000 commands would be five times that.
    expect(last.heapBytes - first.heapBytes).toBeLessThan(1024 * 1024)
    // A young process still grows to its working size, whose greater part the allocators keep.
    expect(last.residentBytes - first.residentBytes).toBeLessThan(48 * 1024 * 1024)
  })
})
