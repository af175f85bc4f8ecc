// The `scope` range as a whole: what a command has that a launcher starts for its host, and what is left afterwards.

import { describe, expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { describePlace, managedPlaces, userSystemd } from './in-user-systemd.js'
import { inScope } from './scope-host.js'

/** In each of two runtimes. More of them in a run of its own: SCOPE_COMMANDS=5000. */
const commands = Number(process.env.SCOPE_COMMANDS ?? 250)

vi.setConfig({ testTimeout: 120_000 + 200 * commands })

const test = feature('a systemd user manager', userSystemd)

describe.each(managedPlaces)('for $uid in $placement', (place) => {
  const { uid } = place
  const where = describePlace(place)

  test(`a command is the host's own child in a folder of its own: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const handle = runtime.spawn(bash('echo out; echo err >&2; echo $PPID $(id -u); grep ^0:: /proc/self/cgroup; exit 7'))
      const { stdout, ...rest } = await finished(handle)
      const [out, ids, cgroup] = stdout.split('\\n')
      const empty = await handle.waitForExit()
      tell({ ...rest, out, ids: ids === process.pid + ' ' + process.getuid(), cgroup, empty, range: runtime.range.kind })
      await runtime.dispose()`
    )
    expect(told).toEqual({
      ...{ exitCode: 7, signal: null, stderr: 'err\n', out: 'out', ids: true, empty: true, range: 'scope' },
      cgroup: expect.stringMatching(
        new RegExp(
          `^0::/user\\.slice/user-${uid}\\.slice/user@${uid}\\.service/.*/quiesce-[^/]*\\.scope/run/command-0$`
        )
      )
    })
  })

  test(`how a command ended, or why it could not start, is told as ever: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const failure = (spec) => runtime.spawn(spec).done.then(String, ({ code, stage, path }) => ({ code, stage, path }))
      tell({
        killed: await finished(runtime.spawn(bash('kill -KILL $$'))),
        missing: await failure(bash('', { argv: ['/no/such/program'] })),
        folder: await failure(bash(':', { cwd: '/no/such/folder' })),
        long: (await finished(runtime.spawn(bash('echo \${#1}', { argv: ['bash', '-c', 'echo \${#1}', 'x', 'a'.repeat(131071)] })))).stdout,
        tooLong: await failure(bash('', { argv: ['/bin/true', 'a'.repeat(131072)] })),
        input: await finished(runtime.spawn(bash('cat; cat <&8', {}, { stdin: { data: 'in' }, attachment: { data: 'attached' } })))
      })
      await runtime.dispose()`
    )
    expect(told).toEqual({
      killed: { exitCode: null, signal: 'SIGKILL', stdout: '', stderr: '' },
      missing: { code: 'ENOENT', stage: 'exec', path: '/no/such/program' },
      folder: { code: 'ENOENT', stage: 'chdir', path: '/no/such/folder' },
      long: '131071\n',
      tooLong: { code: 'E2BIG', stage: 'exec', path: '/bin/true' },
      input: { exitCode: 0, signal: null, stdout: 'inattached', stderr: '' }
    })
  })

  test(`a command has nothing of the launcher, and what the host has now: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const script = 'umask; ls /proc/self/fd | tr "\\\\n" " "; grep -E "^Sig(Ign|Blk)" /proc/self/status; ps -o sid= -p $$'
      const before = await finished(runtime.spawn(bash(script)))
      process.umask(0o77)
      const handle = runtime.spawn(bash('umask; cat /proc/self/oom_score_adj; env'))
      const after = await finished(handle)
      const [umask, oom, ...env] = after.stdout.trim().split('\\n')
      const expected = Math.min(1000, Math.max(0, Number(fs.readFileSync('/proc/self/oom_score_adj', 'utf8'))) + 500)
      tell({ before: before.stdout.split('\\n').slice(0, -2), umask, oom: Number(oom) === expected, env: env.some((line) => line.startsWith('LC_ALL=C')) })
      await runtime.dispose()`,
      { env: { LC_ALL: 'C.UTF-8' } }
    )
    expect(told).toEqual({
      before: ['0022', '0 1 2 3 SigBlk:\t0000000000000000', 'SigIgn:\t0000000000000000'],
      umask: '0077',
      oom: true,
      env: true
    })
  })

  test(`everything that a command has started ends with it: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const runtime = startRuntime()
      const handle = runtime.spawn(bash('(trap "" TERM; setsid sleep 987.1 & ) ; setsid sleep 987.1 & (setsid bash -c "sleep 987.1 & wait" &) ; echo up; exec sleep 987.1', { graceMs: 100 }))
      await until(() => running('987.1').length === 4)
      handle.terminate()
      const empty = await handle.waitForExit()
      tell({ empty, left: running('987.1').length, outcome: await handle.done.then(({ signal }) => signal) })
      await runtime.dispose()`
    )
    expect(told).toEqual({ empty: true, left: 0, outcome: 'SIGTERM' })
  })

  test(`${2 * commands} commands leave no unit, no folder, no process and no descriptor: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const before = { descriptors: descriptors(), children: children().length }
      let wrong = 0
      for (let round = 0; round < 2; round += 1) {
        const runtime = startRuntime()
        let next = 0
        await Promise.all(Array.from({ length: 8 }, async () => {
          while (next < ${commands}) {
            const number = next++
            const handle = runtime.spawn(bash(number % 5 === 0 ? 'sleep 30' : 'echo ' + number))
            if (number % 5 === 0) handle.terminate()
            const { stdout } = await finished(handle)
            await handle.waitForExit()
            if (stdout !== (number % 5 === 0 ? '' : number + '\\n')) wrong += 1
          }
        }))
        await runtime.dispose()
      }
      await until(() => scopeFolders().length === 0 && units() === '')
      await until(() => descriptors() <= before.descriptors + 1)
      tell({ wrong, launchers: launchers().length, children: children().length - before.children, temporary: fs.readdirSync('/tmp').filter((name) => name.startsWith('quiesce-' + process.pid + '-')) })`,
      { timeoutSeconds: 60 + commands / 5 }
    )
    expect(told).toEqual({ wrong: 0, launchers: 0, children: 0, temporary: [] })
  })

  test(`a confined command enters its sandbox from the launcher: ${where}`, async () => {
    const told = await inScope(
      place,
      `
      const workspace = fs.mkdtempSync('/tmp/quiesce-scope-test-')
      const context = await createContext({
        subprocess: { provider: 'native', ranges: ['scope'] }, cwd: workspace,
        sandbox: { mode: 'workspace-write', workspaceRoot: workspace }
      })
      try {
        const command = 'echo in > inside; echo out > /var/tmp/quiesce-scope-outside; grep ^0:: /proc/self/cgroup; grep NoNewPrivs /proc/self/status'
        const { stdout, exitCode, sandbox, range } = await context.shell.run({ command })
        tell({
          inside: fs.readFileSync(workspace + '/inside', 'utf8'), outside: fs.existsSync('/var/tmp/quiesce-scope-outside'),
          stdout: stdout.text, exitCode, range, enforcement: sandbox.enforcement
        })
      } finally {
        await context.dispose()
        fs.rmSync(workspace, { recursive: true })
      }`
    )
    expect(told).toEqual({
      ...{ inside: 'in\n', outside: false, exitCode: 0, range: 'scope', enforcement: 'full' },
      stdout: expect.stringMatching(/quiesce-[^/]*\.scope\/run\/command-\d+\nNoNewPrivs:\t1\n$/)
    })
  })
})
