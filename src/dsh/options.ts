// What the plugin is mounted with, and its check in the form that Cordis asks a plugin for (Standard Schema), so that wrong
// options are refused before anything is replaced: at the start, and when a running plugin gets new ones.

import type { SubprocessOptions } from '../context/options.js'
import type { WarningSink } from '../context/warnings.js'
import { invalidType } from '../errors/invalid-input.js'
import { checkRuntimeOptions } from '../subprocess/local/options.js'

/** `provider`, `ranges`, `cgroupParent`, `spillDir` and `onHostCrash` as in `createContext({ subprocess })`. */
export interface QuiesceSubprocessOptions extends SubprocessOptions {
  /** Gets what would otherwise be a process warning. */
  readonly onWarning?: WarningSink | undefined
}

const providers: ReadonlySet<unknown> = new Set(['auto', 'native', 'node', undefined])

function checked(options: unknown): QuiesceSubprocessOptions {
  const given = options ?? {}
  checkRuntimeOptions(given, ['provider', 'cgroupParent'])
  const { provider } = given as QuiesceSubprocessOptions
  if (!providers.has(provider)) throw invalidType('provider', provider, "must be 'auto', 'native' or 'node'")
  return given
}

type Verdict =
  | { readonly value: QuiesceSubprocessOptions }
  | { readonly issues: readonly { readonly message: string }[] }

export const optionsSchema = {
  '~standard': {
    version: 1,
    vendor: 'quiesce',
    validate(options: unknown): Verdict {
      try {
        return { value: checked(options) }
      } catch (error) {
        return { issues: [{ message: (error as Error).message }] }
      }
    }
  }
} as const
