// Where neither a cgroup nor a manager is to be had: an ordinary user in a container.

import { join } from 'node:path'
import { expect } from 'vitest'
import { outdir, transpile } from '../lifecycle/host.js'
import { feature } from '../setup/features.js'
import { sleepMarker } from '../subprocess/behaviour/observe.js'
import { inUserSystemd, userSystemd } from './in-user-systemd.js'

const test = feature('a systemd user manager', userSystemd)

const program = (marker: string): string => `
  import { execSync } from 'node:child_process'
  import { NativeSubprocessRuntime } from ${JSON.stringify(`file://${join(outdir, 'subprocess/native/native-runtime.js')}`)}
  const warnings = []
  const runtime = new NativeSubprocessRuntime({ onWarning: ({ code }) => warnings.push(code) })
  const collect = { maxBytes: 1000 }
  const handle = runtime.spawn({
    argv: ['bash', '-c', '(setsid setsid sleep ${marker} >/dev/null 2>&1 &); exit 3'], cwd: '/', graceMs: 1000,
    stdio: { stdin: 'ignore', stdout: collect, stderr: collect }
  })
  const count = () => execSync('pgrep -fxc "sleep ${marker}" || true').toString().trim()
  const outcome = await handle.done
  const before = count()
  handle.terminate()
  const empty = await handle.waitForExit()
  console.log(JSON.stringify({ kind: runtime.range.kind, warnings, outcome, before, empty, after: count() }))
  await runtime.dispose()`

test('an ordinary user without a manager has supervisors, which hold and end what leaves a session', async () => {
  transpile()
  const argv = [process.execPath, '--input-type=module', '-e', program(sleepMarker())]
  const { status, stdout, stderr } = await inUserSystemd({ uid: 4242, placement: 'no-systemd' }, argv)
  expect({ status, stderr, told: status === 0 ? JSON.parse(stdout) : stdout }).toEqual({
    status: 0,
    stderr: '',
    told: {
      kind: 'supervisor',
      warnings: ['QUIESCE_WEAK_RANGE'],
      outcome: { exitCode: 3, signal: null },
      before: '1',
      empty: true,
      after: '0'
    }
  })
})
