// npm start [-- 'COMMAND']: sets the checkout up, runs one command through the built package, shows its output live and
// then everything that is known about how it ended. Without a command, a small build that leaves a process behind.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

const demo = `
echo 'compiling 3 files'
for file in parser.c planner.c main.c; do
  echo "  $file"
  sleep 0.4
done
echo 'warning: main.c: unused variable' >&2
(trap '' HUP; exec sleep 60) &
echo "built in $SECONDS s, with a watcher left running (process $!)"
`

/** Prints what is new in a stream since the last call. */
function follow(reader, stream) {
  let offset = 0
  return () => {
    const { text, nextOffset } = reader.readFrom(offset)
    offset = nextOffset
    if (text !== '') stream.write(text)
  }
}

async function show(execution) {
  const news = [follow(execution.observed.stdout, process.stdout), follow(execution.observed.stderr, process.stderr)]
  const showNews = () => {
    for (const one of news) one()
  }
  const timer = setInterval(showNews, 40)
  await execution.done
  clearInterval(timer)
  showNews()
}

function describeStream({ totalBytes, truncated }) {
  return `${totalBytes} bytes${truncated ? ', the last part kept in memory' : ''}`
}

function describeEnd(result) {
  if (result.timedOut) return `timed out after ${result.timeoutMs} ms`
  if (result.aborted) return 'ended by you'
  return result.signal ? `ended by ${result.signal}` : `exit code ${result.exitCode}`
}

function describeRange(report) {
  const why = report.reasons.map(({ kind, reason }) => `no ${kind}: ${reason}`)
  return [report.kind, ...why].join(`\n${' '.repeat(11)}`)
}

const status = await setUp()
if (status !== 0) process.exit(status)

const { createContext } = await import(pathToFileURL(join(root, 'dist/index.js')).href)
const context = await createContext({ onWarning: (warning) => say(String(warning.message ?? warning)) })
const command = process.argv.slice(2).join(' ') || demo
say(`running ${process.argv.length > 2 ? command : 'the demo (a build that leaves a process behind)'}`)

const execution = await context.shell.execute(context.shell.resolve({ command }))
process.on('SIGINT', () => execution.kill())
await show(execution)

const result = await execution.result()
const rows = {
  ended: describeEnd(result),
  took: result.usage ? `${Math.round(result.usage.wallMs)} ms` : 'nothing was started',
  stdout: describeStream(result.stdout),
  stderr: describeStream(result.stderr),
  range: describeRange(context.subprocess.range),
  quiescent: result.quiescent ? 'yes: nothing of the command is left' : 'no: something of the command still runs'
}
console.log()
for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(10)} ${value}`)

const begin = performance.now()
await context.dispose()
if (!result.quiescent) {
  const ended = await execution.waitForExit()
  const took = Math.round(performance.now() - begin)
  console.log(
    `${'disposal'.padEnd(10)} ${ended ? `ended the rest; proven empty after ${took} ms` : 'left something running'}`
  )
}
