// Who gets the `scope` range without asking for it, and what is said where it cannot be had.

import { expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { userSystemd } from './in-user-systemd.js'
import { inScope } from './scope-host.js'

vi.setConfig({ testTimeout: 60_000 })

const test = feature('a systemd user manager', userSystemd)

const choice = `
  const warnings = []
  const runtime = new NativeSubprocessRuntime({ onWarning: ({ code }) => warnings.push(code) })
  const { kind, reasons } = runtime.range
  const reason = reasons.find(({ kind }) => kind === 'scope')?.reason ?? null
  await runtime.dispose()
  tell({ kind, reason, warnings, children: children().length })`

test('an ordinary user who has logged in by ssh gets scopes, and is warned of nothing', async () => {
  expect(await inScope({ uid: 4242, placement: 'session' }, choice)).toEqual({
    ...{ kind: 'scope', reason: null, warnings: [], children: 0 }
  })
})

test('who may make folders where they are needs no manager', async () => {
  expect(await inScope({ uid: 4242, placement: 'user' }, choice)).toMatchObject({ kind: 'cgroup', warnings: [] })
})

test('without a manager it is said that none can be asked', async () => {
  expect(await inScope({ uid: 4242, placement: 'no-systemd' }, choice)).toMatchObject({
    reason: 'no manager can be asked: neither XDG_RUNTIME_DIR nor DBUS_SESSION_BUS_ADDRESS is set',
    children: 0
  })
})

test('a manager that does not answer costs two seconds once, and is told', async () => {
  const body = `
    fs.mkdirSync('/tmp/quiesce-scope-test-' + process.pid)
    process.env.PATH = '/tmp/quiesce-scope-test-' + process.pid + ':' + process.env.PATH
    fs.writeFileSync('/tmp/quiesce-scope-test-' + process.pid + '/systemd-run', '#!/bin/sh\\nexec sleep 987.5', { mode: 0o755 })
    const started = performance.now()
    const reason = () => { try { startRuntime() } catch (error) { return error.message } }
    const first = reason()
    const firstMs = performance.now() - started
    const second = reason()
    fs.rmSync('/tmp/quiesce-scope-test-' + process.pid, { recursive: true })
    tell({ first, same: first === second, quick: performance.now() - started - firstMs < 500, left: running('987.5').length, children: children().length })`
  expect(await inScope({ uid: 4242, placement: 'session' }, body)).toEqual({
    first: expect.stringContaining('scope: systemd-run had started nothing within 2000 ms'),
    ...{ same: true, quick: true, left: 0, children: 0 }
  })
})

test('what systemd-run says is told, and so is that there is none', async () => {
  const body = `
    const reason = (env) => {
      const before = { ...process.env }
      Object.assign(process.env, env)
      try { startRuntime() } catch (error) { return error.message } finally { Object.assign(process.env, before) }
    }
    tell([reason({ XDG_RUNTIME_DIR: '/no/such', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/no/such' }), reason({ PATH: '/no/such' })])`
  expect(await inScope({ uid: 4242, placement: 'session' }, body)).toEqual([
    expect.stringMatching(/scope: systemd-run refused: Failed to connect to bus/),
    expect.stringContaining('scope: there is no systemd-run')
  ])
})
