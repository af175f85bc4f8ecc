// Somebody is killed: the host, or the launcher of its `scope` range. Nothing runs on, nothing hangs, nothing is lost.

import { describe, expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { describePlace, managedPlaces, userSystemd } from './in-user-systemd.js'
import { hostProgram, inScope } from './scope-host.js'

/** More of everything in a run of its own: SCOPE_SCALE=5. */
const scale = Number(process.env.SCOPE_SCALE ?? 1)

vi.setConfig({ testTimeout: 240_000 * scale })

const test = feature('a systemd user manager', userSystemd)

/** Of which half leave their parent. */
const commandCount = 10 * scale
const hostKills = 20 * scale
const launcherKills = 60 * scale

const doomedHost = hostProgram(`
  const runtime = startRuntime({ spillDir: process.env.SPILL_DIR })
  const scripts = ['exec sleep 987.2', '(setsid sleep 987.2 &) ; setsid sleep 987.2 & sleep 987.2', 'trap "" TERM; sleep 987.2; :']
  for (let i = 0; i < ${commandCount}; i += 1) runtime.spawn(bash(scripts[i % scripts.length]))
  const spilling = runtime.spawn(bash('seq 1 1000; exec sleep 987.2', {}, { stdout: { maxBytes: 10, spill: { maxBytes: 100000 } } }))
  await until(() => running('987.2').length >= ${commandCount} && spilling.collected.stdout.readFrom(0).spillPath !== undefined)
  if (process.env.FORKED) spawn('sleep', ['5'], { stdio: 'ignore' })
  console.log('up')
  if (process.env.FLOOD) for (;;) { runtime.spawn(bash('exec sleep 987.2')); await pause(1) }
  await pause(60000)
`)

describe.each(managedPlaces)('for $uid in $placement', (place) => {
  const where = describePlace(place)

  test(`a host that is killed leaves no process, no folder and no file for a second: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const args = ${doomedHost}
      const rounds = { left: 0, folders: 0, files: 0, worstMs: 0 }
      for (let round = 0; round < ${hostKills}; round += 1) {
        const spillDir = fs.mkdtempSync('/tmp/quiesce-scope-test-')
        const flood = round % 2 === 1 ? { FLOOD: '1' } : {}
        const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, SPILL_DIR: spillDir, ...flood } })
        await new Promise((resolve) => host.stdout.once('data', resolve))
        if (round % 2 === 1) await pause(Math.random() * 20)
        host.kill('SIGKILL')
        const killed = performance.now()
        const clean = () => running('987.2').length === 0 && fs.readdirSync(spillDir).length === 0 && scopeFolders().length === 0
        await until(() => clean() || performance.now() - killed > 1000)
        rounds.worstMs = Math.max(rounds.worstMs, performance.now() - killed)
        rounds.left += running('987.2').length
        rounds.files += fs.readdirSync(spillDir).length
        rounds.folders += scopeFolders().length
        fs.rmSync(spillDir, { recursive: true })
      }
      tell(rounds)`,
      { timeoutSeconds: 200 * scale }
    )
    expect(told).toEqual({ left: 0, folders: 0, files: 0, worstMs: expect.any(Number) })
  })

  test(`a launcher that is killed at any moment loses no command and hangs nothing: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const count = { right: 0, refused: 0, wrong: [], kills: 0 }
      const outcome = async (number) => {
        const handle = runtime.spawn(bash('echo ' + number + '; sleep 0.0$((RANDOM % 3)); exit 3'))
        try {
          const { exitCode, stdout } = await finished(handle)
          await handle.waitForExit()
          if (exitCode === 3 && stdout === number + '\\n') count.right += 1
          else count.wrong.push({ exitCode, stdout })
        } catch (error) {
          if (error.stage === 'range' && error.code === 'ECONNRESET') count.refused += 1
          else count.wrong.push(String(error))
        }
      }
      for (let moment = 0; moment < ${launcherKills}; moment += 1) {
        const flood = Array.from({ length: 12 }, (_, i) => outcome(moment * 100 + i))
        await pause(Math.random() * 40)
        for (const pid of launchers()) { try { process.kill(pid, 'SIGKILL'); count.kills += 1 } catch {} }
        await Promise.all(flood)
      }
      const after = await finished(runtime.spawn(bash('exit 4')))
      await runtime.dispose()
      await until(() => scopeFolders().length === 0)
      tell({ ...count, all: count.right + count.refused, after: after.exitCode, children: children().map(({ args }) => args.join(' ')) })`,
      { timeoutSeconds: 200 * scale }
    )
    expect(told).toMatchObject({ wrong: [], all: launcherKills * 12, after: 4, children: [] })
    expect((told as { kills: number }).kills).toBeGreaterThanOrEqual(launcherKills / 2)
  })
})

describe('a launcher that is lost', () => {
  const place = { uid: 4242, placement: 'session' } as const

  test('leaves its commands to the host, which ends them as ever, and another takes its place', async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const handle = runtime.spawn(bash('(setsid sleep 987.3 &); exec sleep 987.3', { graceMs: 100 }))
      await until(() => running('987.3').length === 2)
      const [first] = launchers()
      process.kill(first, 'SIGKILL')
      // Its first thread may be a zombie before the others are gone.
      const tasks = (pid) => fs.readdirSync('/proc/' + pid + '/task').length
      await until(() => !processes().some(({ pid, state }) => pid === first && (state !== 'Z' || tasks(pid) > 1)))
      const next = await finished(runtime.spawn(bash('exit 5')))
      const second = launchers().filter((pid) => pid !== first)
      const still = running('987.3').length
      handle.terminate()
      const empty = await handle.waitForExit()
      const { signal } = await handle.done
      await runtime.dispose()
      await until(() => scopeFolders().length === 0)
      tell({ next: next.exitCode, second: second.length, still, empty, signal, left: running('987.3').length, children: children().length })`
    )
    expect(told).toEqual({ next: 5, second: 1, still: 2, empty: true, signal: 'SIGTERM', left: 0, children: 0 })
  })

  test('ends the commands of its forerunner too when the host is killed', async () => {
    const told = await inScope(
      place,
      `
      const args = ${hostProgram(`
        const runtime = startRuntime()
        runtime.spawn(bash('(setsid sleep 987.4 &); exec sleep 987.4'))
        await until(() => running('987.4').length === 2)
        process.kill(launchers()[0], 'SIGKILL')
        await until(() => launchers().length === 0)
        runtime.spawn(bash('exec sleep 987.4'))
        await until(() => running('987.4').length === 3)
        console.log('up')
        await pause(60000)
      `)}
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await new Promise((resolve) => host.stdout.once('data', resolve))
      host.kill('SIGKILL')
      const killed = performance.now()
      await until(() => (running('987.4').length === 0 && scopeFolders().length === 0) || performance.now() - killed > 1000)
      tell({ left: running('987.4').length, folders: scopeFolders().length })`
    )
    expect(told).toEqual({ left: 0, folders: 0 })
  })

  test('by being stopped fails the start that it holds up, and another takes its place', async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      await finished(runtime.spawn(bash('exit 0')))
      const [stopped] = launchers()
      process.kill(stopped, 'SIGSTOP')
      const started = performance.now()
      const refused = await runtime.spawn(bash('exit 1')).done.then(String, ({ code, stage }) => ({ code, stage }))
      const inTime = performance.now() - started < 15000
      const next = await finished(runtime.spawn(bash('exit 6')))
      await runtime.dispose()
      await until(() => scopeFolders().length === 0)
      tell({ refused, inTime, next: next.exitCode, children: children().length })`
    )
    expect(told).toEqual({ refused: { code: 'ECONNRESET', stage: 'range' }, inTime: true, next: 6, children: 0 })
  })

  test('does not live on for a fork that still has the descriptors of a killed host', async () => {
    const told = await inScope(
      place,
      `
      const args = ${doomedHost}
      const spillDir = fs.mkdtempSync('/tmp/quiesce-scope-test-')
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, SPILL_DIR: spillDir, FORKED: '1' } })
      await new Promise((resolve) => host.stdout.once('data', resolve))
      host.kill('SIGKILL')
      const killed = performance.now()
      await until(() => (running('987.2').length === 0 && scopeFolders().length === 0) || performance.now() - killed > 1000)
      const told = { left: running('987.2').length, folders: scopeFolders().length, files: fs.readdirSync(spillDir) }
      fs.rmSync(spillDir, { recursive: true })
      tell(told)`
    )
    expect(told).toEqual({ left: 0, folders: 0, files: [] })
  })
})
