// Prints what failed, with its own words, and one line with the counts of every test step since the last `npm test`
// began; fails if nothing passed.

import { failures, totals, totalsLine } from './lib/report.mjs'

for (const failure of failures()) console.log(`failed: ${failure}\n`)
console.log(totalsLine())
process.exit(totals().passed > 0 ? 0 : 1)
