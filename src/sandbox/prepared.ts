// The short way of the `native` backend: what its runner would do for each command, as something that the native provider
// has done once and then enters by itself.

import { PreparedConfinement } from '../subprocess/prepared-confinement.js'

/**
 * `prefix` is what stands before `argv` in the confined command line: the runner, `confine`, its options and `--`. Only
 * for an enforcement that was proved to be full: without namespaces or without Landlock nothing is prepared, and the start
 * fails.
 */
export function prepareConfinement(prefix: readonly string[], argv: readonly string[]): PreparedConfinement {
  const [runner = ''] = prefix
  return new PreparedConfinement({ runner, options: prefix.slice(2, -1), argv, confinedArgv: [...prefix, ...argv] })
}
