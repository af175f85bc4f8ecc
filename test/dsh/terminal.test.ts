// Terminals as the seam of the public packages has them: promises where this library knows at once.

import type { SubprocessTerminalHandle } from '@deepseek-ai/dsh-subprocess'
import { describe, expect, it } from 'vitest'
import { isAlive } from '../fixtures/shell/live-processes.js'
import { mountSubprocess, until } from './mounted.js'

const spec = (script: string) => ({
  argv: ['bash', '-c', script],
  cwd: '/',
  env: { GREETING: 'hello' },
  rows: 24,
  cols: 80,
  graceMs: 300
})

function screenOf({ output }: SubprocessTerminalHandle): { text: string } {
  const screen = { text: '' }
  output.on('data', (bytes: Buffer) => {
    screen.text += bytes.toString()
  })
  return screen
}

describe('a terminal of ctx.subprocess', () => {
  it('takes what is typed and shows what is printed, and tells how it ended', async () => {
    const { ctx } = await mountSubprocess()
    const terminal = await ctx.subprocess.spawnTerminal(
      spec('stty size; read -r line; echo "$GREETING $line $TERM"; exit 3')
    )
    const screen = screenOf(terminal)
    await until(() => screen.text.includes('24 80'))
    await terminal.write('world\n')
    expect(await terminal.done).toEqual({ exitCode: 3, signal: null })
    await until(() => screen.text.includes('hello world dumb'))
    await expect(terminal.write('more')).rejects.toThrow('terminal process has exited')
  })

  it('knows who is in the foreground and whether it waits, and signals it', async () => {
    const { ctx } = await mountSubprocess()
    const terminal = await ctx.subprocess.spawnTerminal(
      spec('trap "echo caught; exit 4" INT; echo ready; read -r line')
    )
    const screen = screenOf(terminal)
    await until(() => screen.text.includes('ready'))
    const look = () => terminal.inspectForeground()
    while ((await look())?.inputWaiting !== true) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await look()).toEqual({ processGroupId: terminal.pid, inputWaiting: true })
    await expect(terminal.signalForeground('SIGKILL')).rejects.toThrow(/refusing to SIGKILL the terminal shell/)
    expect(await terminal.signalForeground('SIGINT')).toBe(terminal.pid)
    expect(await terminal.done).toEqual({ exitCode: 4, signal: null })
  })

  it('ends with everything in it, by itself and with the plugin', async () => {
    const { ctx, dispose } = await mountSubprocess()
    const script = 'sleep 60 & echo "child $!."; wait'
    const [ended, left] = await Promise.all([1, 2].map(() => ctx.subprocess.spawnTerminal(spec(script))))
    const children: number[] = []
    for (const terminal of [ended, left]) {
      const screen = screenOf(terminal as SubprocessTerminalHandle)
      await until(() => /child \d+\./.test(screen.text))
      children.push(Number(/child (\d+)/.exec(screen.text)?.[1]))
    }
    await ended?.terminate()
    expect(children.map(isAlive)).toEqual([false, true])
    await dispose()
    expect(children.map(isAlive)).toEqual([false, false])
  })

  it('is refused in the words of the seam', async () => {
    const { ctx } = await mountSubprocess()
    const { subprocess } = ctx
    await expect(subprocess.spawnTerminal({ ...spec(''), argv: [] })).rejects.toThrow(
      'terminal argv must contain a program'
    )
    const aborted = { ...spec(''), signal: AbortSignal.abort(new Error('changed my mind')) }
    await expect(subprocess.spawnTerminal(aborted)).rejects.toThrow('changed my mind')
  })
})
