import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../src/subprocess/runtime.js'
import type { PersistentBashResult } from '../../src/terminal/bash-types.js'
import { LocalTerminalRegistry } from '../../src/terminal/local-registry.js'
import { PersistentBash } from '../../src/terminal/persistent-bash.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import { describeEachProvider } from '../subprocess/behaviour/providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime
  let terminals: LocalTerminalRegistry
  let bash: PersistentBash

  beforeAll(() => {
    runtime = provider.create()
    terminals = new LocalTerminalRegistry({ subprocess: runtime, cwd: tmpdir() })
    bash = new PersistentBash(terminals)
  })

  // A shell that a test has spoilt must not be that of the next.
  afterEach(() => bash.reset())

  afterAll(async () => {
    await terminals.dispose()
    await runtime.dispose()
  })

  const run = (command: string, parts: object = {}): Promise<PersistentBashResult> => bash.run({ command, ...parts })
  const short = async (command: string, parts: object = {}): Promise<[string, string, number | null]> => {
    const { output, end, exitCode } = await run(command, parts)
    return [output, end, exitCode]
  }
  const completed = (output: string, exitCode = 0) => [output, 'completed', exitCode]

  it('keeps variables, functions and the working folder from call to call', async () => {
    expect(await short('cd /usr; word="a b"; greet() { echo "hello $1"; }')).toEqual(completed(''))
    expect(await short('pwd; greet "$word"; false')).toEqual(completed('/usr\nhello a b\n', 1))
  })

  it('gives exactly what the command wrote, both streams, whatever it looks like', async () => {
    expect(await short('echo out; echo err >&2; printf "no newline"')).toEqual(completed('out\nerr\nno newline'))
    expect(await short(`echo 'dsh> '; printf '\\033[31mred\\033[0m\\n'; echo '!! !$ "quoted" \\ \t tab é 😀'`)).toEqual(
      completed('dsh> \nred\n!! !$ "quoted" \\ \t tab é 😀\n')
    )
    expect(await short('echo one\necho two\n\n# a comment')).toEqual(completed('one\ntwo\n'))
  })

  it.each([
    ['heredoc', 'cat <<EOF\nhi', 0],
    ['quote', "echo 'abc", 1],
    ['parenthesis', '(echo a', 1],
    ['line end', 'echo a \\', 0]
  ])('survives an unfinished %s at once', async (_title, command) => {
    const began = performance.now()
    const { end } = await run(command)
    expect(end).toMatch(/^(completed|interrupted)$/)
    expect(await short('echo after')).toEqual(completed('after\n'))
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  it('gives a program that reads its input the end of it at once', async () => {
    expect(await short('cat; read -r x; echo "<$x> $?"')).toEqual(completed('<> 1\n'))
    expect(await short('wc -c')).toEqual(completed('0\n'))
  })

  it('returns what there is when the shell itself reads from the terminal, and goes on', async () => {
    await run('kept=1')
    expect(await short('echo before; read -r x </dev/tty; echo never')).toEqual(['before\n', 'reading', null])
    expect(await short('echo $kept')).toEqual(completed('1\n'))
  })

  it('says how the shell ended, and starts a new one', async () => {
    expect(await run('x=1; echo bye; exit 3')).toMatchObject({
      end: 'shell_exited',
      outcome: { exitCode: 3, signal: null },
      reset: true
    })
    expect(await short('echo "<$x>"')).toEqual(completed('<>\n'))
    expect(await run('kill -KILL $$')).toMatchObject({
      end: 'shell_exited',
      outcome: { exitCode: null, signal: 'SIGKILL' }
    })
    expect(await run('exec echo other')).toMatchObject({ end: 'shell_exited', output: 'other\n', reset: true })
    expect(await short('echo on')).toEqual(completed('on\n'))
  })

  it('lets set -e end the call that asks for it, not the ones after', async () => {
    expect(await short('set -e; echo a; true')).toEqual(completed('a\n'))
    expect(await short('false; echo still here')).toEqual(completed('still here\n'))
    expect(await run('set -e; echo b; false; echo never')).toMatchObject({
      end: 'shell_exited',
      output: 'b\n',
      outcome: { exitCode: 1, signal: null }
    })
    expect(await short('echo on')).toEqual(completed('on\n'))
  })

  it.each([
    ['the prompts', "PS1='$ '; PS2='... '; PROMPT_COMMAND='echo noise'"],
    ['the prompt command', 'unset PROMPT_COMMAND PS1 PS2'],
    ['debugging', "trap 'true' DEBUG; set -T"],
    ['its own output', 'exec >/dev/null 2>&1'],
    ['the names that the call uses', 'printf() { :; }; eval() { :; }; alias eval=true printf=true'],
    ['the terminal', 'stty raw </dev/tty; stty sane </dev/tty']
  ])('survives a command that changes %s', async (_title, command) => {
    expect(await short(command)).toEqual(completed(''))
    const [output, end] = await short('echo after >/dev/tty')
    expect([output, end]).toEqual(['after\n', 'completed'])
    expect(await short('false')).toEqual(completed('', 1))
  })

  it('takes commands of any length, beyond what a terminal takes as a line', async () => {
    const long = 'x'.repeat(5000)
    expect(await short(`echo ${long}`)).toEqual(completed(`${long}\n`))
    const source = `cat <<'EOF' | wc -c\n${'line of text\n'.repeat(8000)}EOF`
    expect(await short(source)).toEqual(completed('104000\n'))
  })

  it('bounds a flood, and keeps its beginning', async () => {
    const { output, truncated, totalChars, end } = await run('seq 1 300000', { maxOutputChars: 100 })
    expect({ head: output.slice(0, 8), length: output.length, truncated, totalChars, end }).toEqual({
      head: '1\n2\n3\n4\n',
      length: 100,
      truncated: true,
      totalChars: 1_988_895,
      end: 'completed'
    })
    expect(await short('echo after')).toEqual(completed('after\n'))
  })

  it('ends everything at the timeout, gives what came until then, and starts anew', async () => {
    const marker = sleepMarker()
    await run('kept=1')
    expect(await run(`echo begin; sleep ${marker}`, { timeoutMs: 1500 })).toMatchObject({
      end: 'timeout',
      output: 'begin\n',
      exitCode: null,
      reset: true
    })
    expect(running(marker)).toEqual([])
    expect(await short('echo "<$kept>"')).toEqual(completed('<>\n'))
  })

  it('ends everything when the call is cancelled', async () => {
    const marker = sleepMarker()
    const stop = new AbortController()
    const call = run(`echo begin; sleep ${marker} & sleep ${marker}`, { signal: stop.signal })
    await until(() => running(marker).length === 2)
    stop.abort()
    expect(await call).toMatchObject({ end: 'cancelled', reset: true })
    expect(running(marker)).toEqual([])
    await expect(run('echo x', { signal: stop.signal })).rejects.toThrow('aborted')
  })

  it('runs calls of one owner one after the other, and owners apart', async () => {
    const first = short('sleep 0.3; x=1; echo first')
    const second = short('echo "second $x"')
    const other = short('echo "other <$x>"', { owner: 'other' })
    expect(await Promise.all([first, second, other])).toEqual([
      completed('first\n'),
      completed('second 1\n'),
      completed('other <>\n')
    ])
    expect(terminals.list()).toEqual([])
    await terminals.disposeOwner('other')
  })

  describe('bad input', () => {
    it.each([
      ['command', { command: 5 }, 'command must be a string; got 5'],
      ['command', { command: 'a\0b' }, 'command must not contain a NUL byte (offset 1)'],
      ['timeoutMs', { command: ':', timeoutMs: 0 }, 'timeoutMs must be a positive finite number'],
      ['maxOutputChars', { command: ':', maxOutputChars: 0 }, 'maxOutputChars must be a positive safe integer; got 0']
    ])('names %s', async (_name, request, message) => {
      await expect(bash.run(request as never)).rejects.toThrow(message)
    })
  })
})
