// What the shell puts into a command's environment over the scrubbed one of the host: no colours, no pagers, then the
// caller's variables, then the DSH ones.

import type { SubprocessEnvironment } from '../subprocess/types.js'
import type { ShellExecSpec } from './types.js'

const plainOutput = Object.freeze({ NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' })

export function shellEnvironment(spec: Pick<ShellExecSpec, 'env' | 'dshEnv'>): SubprocessEnvironment {
  return spec.env || spec.dshEnv ? { ...plainOutput, ...spec.env, ...spec.dshEnv } : plainOutput
}
