import * as fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from '../../../src/subprocess/terminal-types.js'
import { bash } from '../specs.js'
import { finished, running, sleepMarker, success, until } from './observe.js'
import { describeEachProvider } from './providers.js'

function specOf(
  argv: readonly string[],
  parts: Partial<SubprocessTerminalSpawnSpec> = {}
): SubprocessTerminalSpawnSpec {
  return { argv, cwd: '/', rows: 40, cols: 160, graceMs: 3000, ...parts }
}

/** Of both ends of terminals. */
function terminalDescriptors(): number {
  return fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return /^\/dev\/(ptmx|pts\/)/.test(fs.readlinkSync(`/proc/self/fd/${fd}`))
    } catch {
      return false
    }
  }).length
}

/** Collects what a terminal shows. */
class Screen {
  readonly #chunks: Buffer[] = []
  readonly ended: Promise<void>

  constructor(readonly handle: SubprocessTerminalHandle) {
    handle.output.on('data', (bytes: Buffer) => this.#chunks.push(bytes))
    this.ended = new Promise((resolve) => handle.output.once('end', resolve))
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  get text(): string {
    return this.bytes.toString()
  }

  async shows(text: string): Promise<void> {
    await until(() => this.text.includes(text))
  }

  async result(): Promise<{ outcome: unknown; text: string }> {
    const outcome = await this.handle.done
    await this.ended
    return { outcome, text: this.text }
  }
}

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  const start = (argv: readonly string[], parts?: Partial<SubprocessTerminalSpawnSpec>) =>
    runtime.spawnTerminal(specOf(argv, parts))
  const shell = (script: string, parts?: Partial<SubprocessTerminalSpawnSpec>) => start(['bash', '-c', script], parts)
  const screenOf = async (script: string, parts?: Partial<SubprocessTerminalSpawnSpec>) =>
    new Screen(await shell(script, parts))

  describe('the specification of a terminal', () => {
    const fault = async (parts: object): Promise<unknown> => {
      const error = await runtime.spawnTerminal({ ...specOf(['true']), ...parts } as never).catch((e: unknown) => e)
      const { name, message, option } = error as Error & { option?: string }
      return [name, message, option]
    }
    const aborted = AbortSignal.abort(new Error('stop at once'))

    it.each([
      [
        'graceMs first',
        { graceMs: 0, signal: aborted, argv: [] },
        ['RangeError', 'subprocess graceMs must be a positive finite number no greater than 2147483647', 'graceMs']
      ],
      ['then the signal, with its reason', { signal: aborted, argv: [] }, ['Error', 'stop at once', undefined]],
      ['then the program', { argv: [], rows: 0 }, ['TypeError', 'terminal argv must contain a program', 'argv']],
      ['an empty program', { argv: [''] }, ['TypeError', 'terminal argv must contain a program', 'argv']],
      ['an argument', { argv: ['a', 'b\0'] }, ['TypeError', expect.stringContaining('argv[1]'), 'argv[1]']],
      ['rows', { rows: 0 }, ['RangeError', 'rows must be an integer from 1 to 65535; got 0', 'rows']],
      ['columns', { cols: '80' }, ['TypeError', "cols must be an integer from 1 to 65535; got '80'", 'cols']],
      ['an unknown option', { stdio: 1 }, ['TypeError', 'stdio is an unknown option; got 1', 'stdio']]
    ])('is refused: %s', async (_title, parts, expected) => {
      expect(await fault(parts)).toEqual(expected)
    })

    it('tells a missing folder from a missing program', async () => {
      const facts = async (argv: string[], cwd: string): Promise<unknown> => {
        const error = await start(argv, { cwd }).catch((e: unknown) => e)
        const { code, stage, path } = error as { code: string; stage: string; path: string }
        return { code, stage, path }
      }
      expect(await facts(['true'], '/no/such')).toEqual({ code: 'ENOENT', stage: 'chdir', path: '/no/such' })
      expect(await facts(['no-such-program'], '/')).toMatchObject({ code: 'ENOENT', stage: 'exec' })
    })

    it('that is cancelled during the start leaves nothing behind', async () => {
      const marker = sleepMarker()
      const stop = new AbortController()
      const starting = start(['sleep', marker], { signal: stop.signal })
      stop.abort(new Error('no longer'))
      await expect(starting).rejects.toThrow('no longer')
      await until(() => running(marker).length === 0)
    })

    it('does not end a terminal that has been handed over', async () => {
      const stop = new AbortController()
      const screen = new Screen(await start(['bash', '-c', 'read -r x; echo "got $x"'], { signal: stop.signal }))
      stop.abort()
      await screen.handle.write('on\n')
      expect((await screen.result()).text).toContain('got on')
    })
  })

  describe('a terminal', () => {
    it('is a real one, with a session of its own, a size and no abilities', async () => {
      const screen = await screenOf(
        'tty >/dev/null && [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo $TERM $(stty size) $(ps -o sid= -p $$) $$; exit 3'
      )
      const { pid } = screen.handle
      expect(await screen.result()).toEqual({
        outcome: { exitCode: 3, signal: null },
        text: `dumb 40 160 ${pid} ${pid}\r\n`
      })
    })

    it('gives the folder and the environment that were asked for, without secrets of the host', async () => {
      process.env.TERMINAL_TEST_TOKEN = 'secret'
      try {
        const env = { TERM: 'vt100', WORD: 'wörd' }
        const screen = await screenOf('echo "$PWD|$TERM|$WORD|$TERMINAL_TEST_TOKEN|"', { cwd: '/usr', env })
        expect((await screen.result()).text).toBe('/usr|vt100|wörd||\r\n')
      } finally {
        delete process.env.TERMINAL_TEST_TOKEN
      }
    })

    it('names the signal that ended the command', async () => {
      const screen = await screenOf('kill -KILL $$')
      expect((await screen.result()).outcome).toEqual({ exitCode: null, signal: 'SIGKILL' })
    })

    it('takes what is typed, and echoes it', async () => {
      const screen = await screenOf('read -r word; echo "<$word>"')
      await screen.handle.write('héllo\n')
      expect(await screen.result()).toEqual({ outcome: success, text: 'héllo\r\n<héllo>\r\n' })
    })

    it('has a new size after a resize, and tells the command', async () => {
      const screen = await screenOf('trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.05; done')
      await screen.shows('ready')
      screen.handle.resize(77, 11)
      expect((await screen.result()).text).toContain('11 77')
    })

    it('shows everything that was written right before the end, each time', async () => {
      for (let round = 0; round < 50; round += 1) {
        const screen = await screenOf('exec head -c 20480 /dev/zero')
        const { outcome } = await screen.result()
        expect({ outcome, length: screen.bytes.length }).toEqual({ outcome: success, length: 20_480 })
      }
    }, 120_000)

    it('keeps all of it for a reader who comes late', async () => {
      const handle = await shell('seq 1 2000')
      const first = handle.done.then(() => 'done')
      await sleep(100)
      const screen = new Screen(handle)
      await first
      await screen.ended
      expect(screen.text).toBe(Array.from({ length: 2000 }, (_, index) => `${index + 1}\r\n`).join(''))
    })

    it('ends its output with the command, although a leftover still has it open', async () => {
      const marker = sleepMarker()
      const screen = await screenOf(`trap '' HUP; (trap '' HUP; exec sleep ${marker}) & echo end`)
      expect(await screen.result()).toEqual({ outcome: success, text: 'end\r\n' })
      await until(() => screen.handle.quiescent)
      expect(running(marker)).toEqual([])
    })

    it('is harmless after the end: resize does nothing, write is refused, terminate has nothing to do', async () => {
      const screen = await screenOf('exit 0')
      await screen.result()
      screen.handle.resize(80, 24)
      await expect(screen.handle.write('x')).rejects.toThrow('terminal process has exited')
      await screen.handle.terminate()
      expect({
        foreground: screen.handle.inspectForeground(),
        quiescent: screen.handle.quiescent
      }).toEqual({ foreground: undefined, quiescent: true })
    })

    it('refuses what waits to be typed when the command ends', async () => {
      const screen = await screenOf('stty raw -echo; echo ready; read -r -t 1 -n 1; exit 0')
      await screen.shows('ready')
      await expect(screen.handle.write('x'.repeat(1024 * 1024))).rejects.toThrow('terminal process has exited')
      await screen.result()
    })

    it('costs the host next to nothing while a program does not read what is typed', async () => {
      const screen = await screenOf('stty raw -echo; echo ready; sleep 2')
      await screen.shows('ready')
      const before = process.cpuUsage()
      const refused = expect(screen.handle.write('x'.repeat(1024 * 1024))).rejects.toThrow('has exited')
      await screen.handle.done
      const { user, system } = process.cpuUsage(before)
      await refused
      await screen.result()
      expect((user + system) / 1000).toBeLessThan(300)
    })

    it('types a megabyte in order into a program that reads', async () => {
      const text = Array.from({ length: 20_000 }, (_, index) => `${index} ${'y'.repeat(40)}\n`).join('')
      const screen = await screenOf(`stty raw -echo; echo ready; head -c ${text.length} | md5sum`)
      await screen.shows('ready')
      await screen.handle.write(text)
      const { createHash } = await import('node:crypto')
      expect((await screen.result()).text).toContain(createHash('md5').update(text).digest('hex'))
    })
  })

  describe('the foreground', () => {
    it('is the shell while it waits for a command, and provably waits', async () => {
      const screen = new Screen(await start(['bash', '--noprofile', '--norc', '-i'], { env: { PS1: 'ready> ' } }))
      await screen.shows('ready> ')
      const { pid } = screen.handle
      await until(() => screen.handle.inspectForeground()?.inputWaiting === true)
      expect(screen.handle.inspectForeground()).toEqual({ processGroupId: pid, inputWaiting: true })
      await screen.handle.terminate()
    })

    it('is the program that the shell runs, which waits for input only when it reads', async () => {
      const screen = new Screen(await start(['bash', '--noprofile', '--norc', '-i'], { env: { PS1: 'ready> ' } }))
      await screen.shows('ready> ')
      const { pid } = screen.handle
      await screen.handle.write('sleep 100\n')
      await until(() => screen.handle.inspectForeground()?.processGroupId !== pid)
      const busy = screen.handle.inspectForeground()
      expect(screen.handle.signalForeground('SIGINT')).toBe(busy?.processGroupId)
      await until(() => {
        const now = screen.handle.inspectForeground()
        return now?.processGroupId === pid && now.inputWaiting
      })
      await screen.handle.write('cat | grep x\n')
      await until(() => {
        const now = screen.handle.inspectForeground()
        return now !== undefined && now.processGroupId !== pid && now.inputWaiting
      })
      await screen.handle.terminate()
      expect(busy).toMatchObject({ inputWaiting: false })
    })

    it('is not killed when it is the command itself', async () => {
      const screen = await screenOf('echo ready; sleep 100')
      await screen.shows('ready')
      expect(() => screen.handle.signalForeground('SIGKILL')).toThrow(
        'refusing to SIGKILL the terminal shell; terminate the terminal session instead'
      )
      await screen.handle.terminate()
      expect(() => screen.handle.signalForeground('SIGINT')).toThrow(
        `cannot resolve foreground process group for terminal ${screen.handle.pid}`
      )
    })
  })

  describe('the end of a terminal', () => {
    it('takes children, background jobs and those that ignore TERM with it', async () => {
      const marker = sleepMarker()
      const script = `trap '' TERM HUP; sleep ${marker} & (trap '' TERM HUP; exec sleep ${marker}) & echo ready; wait; wait; wait`
      const screen = await screenOf(script, { graceMs: 300 })
      await screen.shows('ready')
      await until(() => running(marker).length === 2)
      await Promise.all([screen.handle.terminate(), screen.handle.terminate()])
      expect({ left: running(marker), quiescent: screen.handle.quiescent }).toEqual({ left: [], quiescent: true })
      await screen.result()
    })

    it('is quick for an interactive shell, which ignores TERM', async () => {
      const screen = new Screen(await start(['bash', '--noprofile', '--norc', '-i'], { graceMs: 10_000 }))
      await until(() => screen.handle.inspectForeground()?.inputWaiting === true)
      const began = performance.now()
      await screen.handle.terminate()
      expect(performance.now() - began).toBeLessThan(5000)
    })

    it('comes with the disposal of the runtime', async () => {
      const own = provider.create()
      const marker = sleepMarker()
      const screen = new Screen(await own.spawnTerminal(specOf(['bash', '-c', `echo ready; sleep ${marker}; :`])))
      await screen.shows('ready')
      await own.dispose()
      expect(running(marker)).toEqual([])
      await expect(own.spawnTerminal(specOf(['true']))).rejects.toThrow('the subprocess runtime has been disposed')
    })
  })

  describe('many terminals', () => {
    it('open and close a hundred times without a descriptor more', async () => {
      const all = (): number => fs.readdirSync('/proc/self/fd').length
      const before = { all: all(), ofTerminals: terminalDescriptors() }
      const own = provider.create()
      for (let count = 0; count < 10; count += 1) {
        const shell = specOf(['bash', '-c', 'echo hi'])
        const handles = await Promise.all(Array.from({ length: 10 }, () => own.spawnTerminal(shell)))
        const screens = handles.map((handle) => new Screen(handle))
        for (const screen of screens) expect((await screen.result()).text).toBe('hi\r\n')
        await Promise.all(handles.map((handle) => handle.terminate()))
        await until(() => terminalDescriptors() <= before.ofTerminals)
      }
      // A runtime may keep what its next command can use.
      await own.dispose()
      await until(() => all() <= before.all)
    }, 120_000)
  })

  it.runIf(provider.name !== 'node')('no terminal is open in a command that runs beside it', async () => {
    const screens = await Promise.all([screenOf('read -r x'), screenOf('read -r x')])
    const result = await finished(runtime.spawn(bash('ls -l /proc/self/fd | grep -c ptmx || true')))
    await Promise.all(screens.map(({ handle }) => handle.terminate()))
    expect(result).toEqual({ outcome: success, stdout: '0\n', stderr: '' })
  })
})
