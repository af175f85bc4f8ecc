// npm run build: brings dist and the native addon up to date.

import { setUp } from './lib/setup.mjs'

process.exit(await setUp({ strict: true }))
