import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { attachedCommand, type PreparedCommand } from '../../src/shell/bash-command.js'
import { LocalBashExecutor } from '../../src/shell/local-bash.js'
import type { ShellExecRequest, ShellExecSpec, ShellRunResult } from '../../src/shell/types.js'
import { isAlive } from '../fixtures/shell/live-processes.js'
import { providers, testOn } from '../fixtures/shell/providers.js'

class AttachingExecutor extends LocalBashExecutor {
  protected override prepare(spec: ShellExecSpec): PreparedCommand {
    return attachedCommand(spec.command)
  }
}

/** Texts that a careless prelude would change. */
const trickyTexts: Readonly<Record<string, string>> = {
  'a heredoc': 'cat <<EOF\nhello\nEOF',
  'an unterminated heredoc with blank lines at its end': 'cat <<EOF\nhello\n\n\n',
  'a continued line at the end': 'echo a \\\n',
  'a backslash at the very end': 'echo a \\',
  'a comment at the end': 'echo a # c',
  'only a comment': '# nothing',
  'only blanks': '  \n ',
  'line numbers': 'echo $LINENO\n\necho $LINENO; nosuchcommand',
  'an exit status': 'exit 3',
  'the status of the last command': '(exit 4)',
  'a return outside of a function': 'return 5',
  'an exit trap': 'trap "echo bye" EXIT; exit 7',
  'the name and the arguments': 'echo "$0|$#|$*|$-|$BASH_SUBSHELL|$?"',
  'an alias defined on the line before': 'shopt -s expand_aliases\nalias zz="echo aliased"\nzz',
  errexit: 'set -e; false; echo no',
  nounset: 'set -u; echo "$nope"; echo no',
  'death by a signal': 'kill -TERM $$',
  'a leading dash': '-n echo x',
  'carriage returns': 'echo a\r\necho b\r',
  'text beyond ASCII': 'echo "größer 你好 😀"',
  'stdin left to the command': 'read -r line; echo "[$line]"',
  'no variable and no descriptor left over': 'set | grep -c QUIESCE_; ls /proc/$$/fd | tr "\\n" " "; true'
}

const facts = ({ exitCode, signal, stdout, stderr }: ShellRunResult): unknown => ({
  exitCode,
  signal,
  stdout: stdout.text,
  stderr: stderr.text
})

const folder = mkdtempSync(join(tmpdir(), 'quiesce-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(providers)('bash on %o', (subprocess) => {
  const test = testOn(subprocess)
  let context: Context
  const run = (request: ShellExecRequest): Promise<ShellRunResult> => context.shell.run(request)

  beforeEach(async () => {
    context = await createContext({ cwd: folder, subprocess, shell: { graceMs: 1_000 } })
  })
  afterEach(() => context.dispose())

  test('gives the whole result of an ordinary command', async () => {
    const result = await run({ command: 'cat; pwd; echo err >&2; exit 3', stdin: 'in\n' })
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      timeoutMs: 120_000,
      quiescent: true,
      range: context.subprocess.range.kind,
      usage: { wallMs: expect.any(Number), ...(subprocess.provider === 'node' ? unknownUsage : measuredUsage) },
      stdout: { text: `in\n${folder}\n`, truncated: false, totalBytes: folder.length + 4 },
      stderr: { text: 'err\n', truncated: false, totalBytes: 4 }
    })
  })

  test('lays the environment in order: plain output, env, dshEnv', async () => {
    const result = await run({
      command: 'echo "$NO_COLOR|$TERM|$PAGER|$GIT_PAGER|${HOME-gone}|$DSH_A"',
      env: { PAGER: 'less', HOME: undefined, DSH_A: 'env' },
      dshEnv: { DSH_A: 'dsh' }
    })
    expect(result.stdout.text).toBe('1|dumb|less|cat|gone|dsh\n')
  })

  test('gives a command without stdin the null device', async () => {
    expect((await run({ command: 'cat; readlink /proc/$$/fd/0' })).stdout.text).toBe('/dev/null\n')
  })

  test('runs a text over the kernel limit of one argument, several MiB of it, with its last status', async () => {
    const line = 'printf "%s\\n" "größer" >/dev/null\n'
    const command = `${line.repeat(100_000)}echo "line $LINENO"; exit 9`
    expect(facts(await run({ command }))).toEqual({ exitCode: 9, signal: null, stdout: 'line 100001\n', stderr: '' })
  })

  for (const [name, command] of Object.entries(trickyTexts)) {
    test(`runs ${name} from descriptor 8 as from the command line`, async () => {
      const attaching = new AttachingExecutor({ subprocess: context.subprocess, cwd: folder })
      const request = { command, stdin: 'first\nsecond\n' }
      expect(facts(await attaching.run(request))).toEqual(facts(await run(request)))
    })
  }

  test('reports a syntax error from descriptor 8 with the same status and line', async () => {
    const attaching = new AttachingExecutor({ subprocess: context.subprocess, cwd: folder })
    const request = { command: 'echo a\nif then' }
    const [attached, plain] = [await attaching.run(request), await run(request)]
    expect({ ...attached, stderr: attached.stderr.text, usage: null }).toEqual({
      ...plain,
      stderr: plain.stderr.text.replaceAll(' -c: ', ' eval: '),
      usage: null
    })
  })

  test('rejects the result, not the execution, for a working folder that is none', async () => {
    const execution = await context.shell.execute(context.shell.resolve({ command: ':', workdir: '/etc/passwd' }))
    await execution.done
    expect(execution.status).toBe('killed')
    await expect(execution.result()).rejects.toMatchObject({ code: 'ENOTDIR', stage: 'chdir', path: '/etc/passwd' })
    expect(execution.readOutput().delta).toMatch(/^\[stderr\]\nspawn failed: .*\/etc\/passwd/)
    expect(await execution.waitForExit()).toBe(true)
  })

  test('finds bash on the PATH of the command itself', async () => {
    writeFileSync(join(folder, 'bash'), '#!/bin/sh\necho "own bash: $2"\n', { mode: 0o755 })
    expect((await run({ command: 'x y', env: { PATH: folder } })).stdout.text).toBe('own bash: x y\n')
    await expect(run({ command: 'x y', env: { PATH: '/nowhere' } })).rejects.toMatchObject({
      code: 'ENOENT',
      stage: 'exec'
    })
  })

  test('lets the deadline stand for a command that traps TERM and exits 0', async () => {
    const command = 'trap "exit 0" TERM; echo up; while :; do sleep 0.02; done'
    expect(await run({ command, timeoutMs: 300 })).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: true,
      aborted: false,
      timeoutMs: 300,
      stdout: { text: 'up\n' }
    })
  })

  test('ends a command without deadline by kill(), and its descendants with it', async () => {
    const spec = context.shell.resolve({ command: 'sleep 60 & echo $!; wait', onExpiry: 'none', timeoutMs: 1 })
    const execution = await context.shell.execute(spec)
    while (!execution.observed.stdout.readFrom(0).text.endsWith('\n')) await new Promise((go) => setTimeout(go, 5))
    expect([execution.status, execution.kill(), execution.kill()]).toEqual(['running', true, false])
    expect(await execution.waitForExit()).toBe(true)
    const child = Number(execution.readOutput().delta)
    expect(isAlive(child)).toBe(false)
    expect(await execution.result()).toMatchObject({ signal: 'SIGTERM', timedOut: false, aborted: true })
  })

  test('tells how a command ended by itself although kill() then ends what still writes to its output', async () => {
    const command = 'while :; do echo tick; sleep 0.02; done & echo "pid $$"; exit 4'
    const execution = await context.shell.execute(context.shell.resolve({ command }))
    const text = (): string => execution.observed.stdout.readFrom(0).text
    const pidLine = /pid (\d+)\n/
    while (!pidLine.test(text())) await new Promise((go) => setTimeout(go, 5))
    const pid = pidLine.exec(text())?.[1] ?? ''
    while (isAlive(pid)) await new Promise((go) => setTimeout(go, 5))
    expect([execution.status, execution.kill(), execution.status]).toEqual(['running', true, 'killed'])
    expect(await execution.result()).toMatchObject({ exitCode: 4, signal: null, timedOut: false, aborted: false })
    expect(await execution.waitForExit()).toBe(true)
    expect(execution.status).toBe('killed')
  })

  test('counts a time limit in the signal of the caller as an abort, and not as the deadline', async () => {
    const signal = AbortSignal.timeout(100)
    expect(await run({ command: 'sleep 60', signal })).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: false,
      aborted: true
    })
  })

  test('counts an abort as an abort, by the caller or by the disposal of the context', async () => {
    const controller = new AbortController()
    const byCaller = await context.shell.execute(
      context.shell.resolve({ command: 'sleep 60', signal: controller.signal })
    )
    const byDisposal = await context.shell.execute(context.shell.resolve({ command: 'sleep 60' }))
    controller.abort()
    const expected = { exitCode: null, signal: 'SIGTERM', timedOut: false, aborted: true }
    expect(await byCaller.result()).toMatchObject(expected)
    await context.dispose()
    expect(await byDisposal.result()).toMatchObject(expected)
    expect([byCaller.status, byDisposal.status]).toEqual(['killed', 'killed'])
  })

  test('says so when something of the command still runs, and waits for it with leftovers terminate', async () => {
    expect(await run({ command: 'sleep 60 & echo kept' })).toMatchObject({
      exitCode: 0,
      quiescent: false,
      stdout: { text: 'kept\n' }
    })
    expect(await run({ command: 'sleep 60 & echo ended', leftovers: 'terminate' })).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: false,
      aborted: false,
      quiescent: true,
      stdout: { text: 'ended\n' }
    })
  })
})

const unknownUsage = {
  userMs: null,
  systemMs: null,
  maxRssBytes: null,
  treeCpuMs: null,
  memoryPeakBytes: null,
  pidsPeak: null,
  oomKills: null
}
const measuredUsage = {
  userMs: expect.any(Number),
  systemMs: expect.any(Number),
  maxRssBytes: expect.toBeOneOf([expect.any(Number), null]),
  treeCpuMs: expect.toBeOneOf([expect.any(Number), null]),
  memoryPeakBytes: null,
  pidsPeak: null,
  oomKills: null
}
