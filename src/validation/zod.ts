// Zod, loaded when the first schema is needed: importing this package must not pay for it.

import { createRequire } from 'node:module'

type Zod = typeof import('zod')

let loaded: Zod | undefined

export function zod(): Zod {
  loaded ??= createRequire(import.meta.url)('zod') as Zod
  return loaded
}
