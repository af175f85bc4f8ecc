// One run of one fuzz target. Its output is shown only if it fails; otherwise a line says how much was tried.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, tool } from './run.mjs'

const sources = join(root, 'test', 'native', 'fuzz')

/** New inputs that reach new code gather below `folder` and are begun with the next time. */
export async function fuzzNative({ folder, target, seconds }) {
  const found = join(folder, 'found', target)
  const crashes = join(folder, 'crashes', target)
  for (const path of [found, crashes]) mkdirSync(path, { recursive: true })
  const dictionary = join(sources, 'dictionaries', `${target}.dict`)
  const { status, output } = await runSilently(
    join(folder, 'quiesce_fuzz'),
    [
      ...[`-max_total_time=${seconds}`, '-timeout=60', '-max_len=1024', '-print_final_stats=1'],
      ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
      ...[`-artifact_prefix=${crashes}/`, found, join(sources, 'corpus', target)]
    ],
    { QUIESCE_FUZZ_TARGET: target, UBSAN_OPTIONS: 'print_stacktrace=1', ASAN_OPTIONS: 'detect_leaks=1' }
  )
  if (status === 0) return { status, output, summary: `${/number_of_executed_units: (\d+)/.exec(output)?.[1]} inputs` }
  console.error(output.split('\n').slice(-60).join('\n'))
  const corpus = relative(root, join(sources, 'corpus', target))
  return {
    status,
    output,
    summary: `broken; when mended, move the input from ${relative(root, crashes)} to ${corpus} and name it by what it shows`
  }
}

/** The properties of the output reader, whose failures print the smallest input that breaks them. */
export async function fuzzProperties({ seconds }) {
  const files = ['test/subprocess/output/reader.property.test.ts']
  const args = ['run', '--config', 'test/vitest.config.ts', '--testTimeout', String((seconds + 60) * 1000), ...files]
  const { status, output } = await runSilently(process.execPath, [join(root, tool.vitest), ...args], {
    FUZZ_SECONDS: String(seconds)
  })
  if (status !== 0) console.error(output)
  return { status, output, summary: status === 0 ? 'hold' : 'broken' }
}

function runSilently(program, args, environment) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment }
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ status: 127, output: error.message }))
    child.on('close', (status) => resolve({ status: status ?? 128, output }))
  })
}
