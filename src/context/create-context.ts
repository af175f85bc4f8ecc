// The entrance for those who do not compose by hand: options as a stranger writes them, checked by a schema.

import { parse } from '../validation/parse.js'
import { type Context, composeContext } from './compose-context.js'
import type { ContextOptions } from './options.js'
import { contextOptionsSchema } from './options-schema.js'

/**
 * Starts nothing; the first command does.
 * @throws TypeError or RangeError (code EINVAL) that names a wrong option and its value; `UnavailableOptionError` for a
 * provider or range that this host lacks.
 */
export async function createContext(options?: ContextOptions): Promise<Context> {
  // Loading the schema library takes longer than everything else here, so no options do not pay for it.
  if (options === undefined) return composeContext({})
  return composeContext(parse<ContextOptions>(contextOptionsSchema(), options, 'createContext'))
}
