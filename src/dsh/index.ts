// `quiesce/dsh`: this library as the `ctx.subprocess` of the public DeepSeek Harness packages. Only re-exports.

export type { QuiesceHandle } from './handle.js'
export type { QuiesceSubprocessOptions } from './options.js'
export { QuiesceSubprocess, QuiesceSubprocess as default } from './plugin.js'
