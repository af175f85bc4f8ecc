// What a machine may lack: a test that needs it is skipped with the reason, or fails where REQUIRE_FEATURES=all (CI).

import { test } from 'vitest'

/** True, or why the feature cannot be used here. */
export type FeatureProbe = () => true | string

export type FeatureTest = (title: string, body: () => unknown) => void

const probed = new Map<string, true | string>()

function probeOnce(name: string, probe: FeatureProbe): true | string {
  const known = probed.get(name)
  if (known !== undefined) return known
  let result: true | string
  try {
    result = probe()
  } catch (error) {
    result = error instanceof Error ? error.message : String(error)
  }
  probed.set(name, result)
  return result
}

/**
 * A `test` that needs a feature: `feature('cgroup', probe)('ends what has left its group', async () => …)`. The probe runs
 * once for each name. Where it gives a reason or throws, the test is skipped and its title ends with the reason.
 */
export function feature(name: string, probe: FeatureProbe): FeatureTest {
  const result = probeOnce(name, probe)
  if (result === true) return (title, body) => void test(title, async () => void (await body()))
  const reason = `${name}: ${result}`
  if (process.env.REQUIRE_FEATURES !== 'all') return (title) => void test.skip(`${title} [without ${reason}]`, () => {})
  return (title) =>
    void test(title, () => {
      throw new Error(`REQUIRE_FEATURES=all, but this machine is without ${reason}`)
    })
}
