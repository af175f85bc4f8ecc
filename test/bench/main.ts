// npm run bench: measures, prints tables, writes bench-results/<time>.json and, when asked, what the README shows.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Options, readOptions, usage } from './options.js'
import { resultsFolder, root } from './places.js'
import { publish } from './publish/publish.js'
import { measure, type Run } from './run.js'

function keep(run: Run): void {
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${run.date.replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
  console.log(`written to ${relative(root, file)}`)
}

async function perform(options: Options): Promise<void> {
  if (options.help) return console.log(usage)
  let run: Run
  if (options.from === undefined) {
    run = await measure(options)
    keep(run)
  } else {
    run = JSON.parse(readFileSync(options.from, 'utf8')) as Run
  }
  if (options.publish) for (const file of await publish(run)) console.log(`written to ${file}`)
}

try {
  await perform(readOptions(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
