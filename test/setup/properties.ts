// How long properties are tried: some hundred inputs in a test run, for as long as FUZZ_SECONDS says where they are fuzzed.
// Every run tries other inputs; a failure prints its seed and the smallest input that still fails.

import fc from 'fast-check'

const runs = 300

/** Seconds for all properties of a test file together. */
const fuzzSeconds = Number(process.env.FUZZ_SECONDS ?? 0)

/** Fails with the smallest counterexample. `share` is the part of the time for fuzzing that this property gets. */
export async function holds<Input>(property: fc.IProperty<Input>, share: number): Promise<void> {
  const end = performance.now() + fuzzSeconds * 1000 * share
  do {
    fc.assert(property, { numRuns: runs })
    // A test runner that hears nothing from its test for a minute gives it up.
    await new Promise((resolve) => setImmediate(resolve))
  } while (performance.now() < end)
}
