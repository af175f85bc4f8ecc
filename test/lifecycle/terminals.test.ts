// What becomes of terminals when their host ends, in whatever way.

import { expect } from 'vitest'
import { loadAddon } from '../../src/native/load.js'
import { feature } from '../setup/features.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import { runHost } from './host.js'

const test = feature('the native addon', () => loadAddon() && true)

/** A command that stays, and something it started that ignores all that is polite. */
const start = (marker: string): string => `
  const spec = { cwd: '/', rows: 24, cols: 80, graceMs: 3000 }
  const stubborn = "trap '' TERM HUP; (setsid sleep ${marker} &) ; echo up; exec sleep ${marker}"
  const terminal = await runtime.spawnTerminal({ ...spec, argv: ['bash', '-c', stubborn] })
  await new Promise((resolve) => terminal.output.once('data', resolve))`

test('a host that exits leaves nothing of its terminals', async () => {
  const marker = sleepMarker()
  const end = await runHost('native', `${start(marker)}; process.exit(7)`)
  expect({ ...end, left: running(marker) }).toEqual({ code: 7, signal: null, stdout: '', stderr: '', left: [] })
})

test('a host that is killed leaves nothing of its terminals', async () => {
  const marker = sleepMarker()
  const end = await runHost(
    'native',
    `${start(marker)}; process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`
  )
  expect(end.signal).toBe('SIGKILL')
  await until(() => running(marker).length === 0)
})

test('a host with nothing else to do lives as long as its terminal, and no longer', async () => {
  const body = `
    const argv = ['bash', '-c', 'sleep 0.3; exit 4']
    const terminal = await runtime.spawnTerminal({ argv, cwd: '/', rows: 24, cols: 80, graceMs: 3000 })
    void terminal.done.then((outcome) => console.log(outcome))`
  expect(await runHost('native', body)).toEqual({
    code: 0,
    signal: null,
    stdout: '{ exitCode: 4, signal: null }\n',
    stderr: ''
  })
})
