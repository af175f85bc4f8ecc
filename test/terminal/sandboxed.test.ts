import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import { PersistentBash } from '../../src/terminal/persistent-bash.js'

describe.each(['native', 'node'] as const)('confined terminals, by the %s provider', (provider) => {
  // Outside of the temporary folder, which may be written to in workspace-write anyway.
  const folder = realpathSync(mkdtempSync(join(import.meta.dirname, 'confined-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('cannot write where their policy does not let them, and work otherwise', async () => {
    await using context = await createContext({
      cwd: folder,
      sandbox: { mode: 'read-only' },
      subprocess: { provider },
      onWarning: () => {}
    })
    const { id } = await context.terminals.open()
    const { output, reason } = await context.terminals.send({ id, text: 'touch file; echo d"on"e' })
    expect({ reason, output }).toEqual({
      reason: 'stdin_read',
      output: expect.stringMatching(/touch:.*file.*\ndone\n/s)
    })
    const bash = new PersistentBash(context.terminals)
    expect(await bash.run({ command: 'x=1; echo err >&2; false' })).toMatchObject({
      end: 'completed',
      output: 'err\n',
      exitCode: 1
    })
    expect(await bash.run({ command: 'echo $x; touch other' })).toMatchObject({ end: 'completed', exitCode: 1 })
    expect(await bash.run({ command: 'echo $x; read -r y </dev/tty' })).toMatchObject({ end: 'reading', output: '1\n' })
    expect(existsSync(join(folder, 'file')) || existsSync(join(folder, 'other'))).toBe(false)
  })
})
