// Prints one line with the counts of every test step since the last `npm test` began; fails if there was none.

import { totals, totalsLine } from './lib/report.mjs'

console.log(totalsLine())
process.exit(totals().passed > 0 ? 0 : 1)
