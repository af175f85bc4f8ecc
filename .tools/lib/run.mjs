// Runs a tool of the project with its output shown, or captured for a reader.

import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The entry of a package's own command line, run by this very Node: no shell, no PATH. */
export const tool = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  cmakeJs: 'node_modules/cmake-js/bin/cmake-js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs'
}

/** Exit status of `program`, 127 if it cannot be started, 128 if a signal ended it. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (result.error) {
    console.error(`cannot run ${program}: ${result.error.message}`)
    return 127
  }
  return result.status ?? 128
}

export function runTool(script, args, options = {}) {
  return run(process.execPath, [join(root, script), ...args], options)
}

/** Standard output of `program`, or null if it fails. */
export function capture(program, args) {
  const result = spawnSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return result.status === 0 ? result.stdout : null
}

/** One line that says what is going on, so that a long step is never a silent one. */
export function say(text) {
  const name = process.stderr.isTTY ? '\x1b[2mquiesce:\x1b[0m' : 'quiesce:'
  console.error(`${name} ${text}`)
}

/** Runs `program` with its output shown and returned. */
export function runCapturing(program, args, environment) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment }
    })
    let output = ''
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8')
      child[stream].on('data', (text) => {
        output += text
        process[stream].write(text)
      })
    }
    child.on('error', (error) => resolve({ status: 127, output: error.message }))
    child.on('close', (status) => resolve({ status: status ?? 128, output }))
  })
}

/** Runs `program` and shows its standard output only; standard error (statistics, progress) only if it fails. */
export function runQuietly(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] })
    let complaints = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text) => {
      complaints += text
    })
    child.on('error', (error) => resolve(say(error.message) ?? 127))
    child.on('close', (status) => {
      if (status !== 0) process.stderr.write(complaints)
      resolve(status ?? 128)
    })
  })
}
