// Warnings: facts that weaken what the caller may rely on, told once and with the remedy.

import type { RuntimeWarning } from '../subprocess/local/options.js'

export type Warning = RuntimeWarning

export type WarningSink = (warning: Warning) => void

export const emitProcessWarning: WarningSink = ({ code, message }) => {
  process.emitWarning(message, { type: 'QuiesceWarning', code })
}
