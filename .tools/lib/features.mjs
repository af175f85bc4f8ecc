// What a machine may lack without harm: skipped with a printed reason, an error where REQUIRE_FEATURES=all (set in CI).

import { say } from './run.mjs'

/** Exit status for a step that cannot run here: 0 and a notice, or 1 where every feature is required. */
export function withoutFeature(what, reason) {
  const required = process.env.REQUIRE_FEATURES === 'all'
  say(`${required ? 'missing' : 'skipped'}: ${what}: ${reason}`)
  return required ? 1 : 0
}
