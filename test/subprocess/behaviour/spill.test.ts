import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { bash } from '../specs.js'
import { success, until } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let root: string
  let spillDir: string
  let runtime: SubprocessRuntime

  beforeAll(() => {
    root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'spill-test-')))
  })

  beforeEach(() => {
    spillDir = fs.mkdtempSync(join(root, 'at-'))
    runtime = provider.create({ spillDir })
  })

  afterEach(() => runtime.dispose())

  afterAll(() => fs.rmSync(root, { recursive: true }))

  const run = async (script: string, maxBytes: number, spillBytes?: number, graceMs = 5000) => {
    const spill = spillBytes === undefined ? undefined : { maxBytes: spillBytes }
    const handle = runtime.spawn(bash(script, { graceMs, stdio: { stdout: { maxBytes, spill } } }))
    const outcome = await handle.done
    const read = handle.collected.stdout?.readFrom(0)
    const path = read?.spillPath
    return { handle, outcome, read, path, error: handle.collected.stdout?.spillError }
  }
  const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)
  const digits = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')

  describe('a spill file', () => {
    it('holds the whole stream, for its owner alone, in a private folder', async () => {
      const { outcome, read, path = '', error } = await run('seq 1 20000', 1000, 1_000_000)
      expect({
        outcome,
        read,
        error,
        content: fs.readFileSync(path, 'utf8'),
        modes: [path, dirname(path)].map(modeOf)
      }).toEqual({
        outcome: success,
        read: { text: digits.slice(-1000), nextOffset: digits.length, lossy: true, spillPath: path },
        error: null,
        content: digits,
        modes: ['600', '700']
      })
      expect([dirname(dirname(path)), /^quiesce-/.test(dirname(path).slice(spillDir.length + 1))]).toEqual([
        spillDir,
        true
      ])
    })

    it('is named in every read once it is there', async () => {
      const { handle, path } = await run('seq 1 20000', 1000, 1_000_000)
      const reader = handle.collected.stdout
      expect([
        reader?.readFrom(digits.length - 2).spillPath,
        reader?.readFrom(1e9).spillPath,
        reader?.readBytesFrom(0).spillPath
      ]).toEqual([path, path, path])
    })

    it('is not made when nothing overflows, nor its folder', async () => {
      const { read } = await run('printf 12345', 5, 100)
      expect({ read, made: fs.readdirSync(spillDir) }).toEqual({
        read: { text: '12345', nextOffset: 5, lossy: false },
        made: []
      })
    })

    it('is not made unless asked for', async () => {
      const { read } = await run('printf 123456', 5)
      expect({ read, made: fs.readdirSync(spillDir) }).toEqual({
        read: { text: '23456', nextOffset: 6, lossy: true },
        made: []
      })
    })

    it('may be as long as its cap', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, digits.length)
      expect(fs.readFileSync(path, 'utf8')).toBe(digits)
    })

    it('goes when the stream is longer than the cap, and the tail stays', async () => {
      const { handle, read, error } = await run('seq 1 20000', 1000, digits.length - 1)
      await until(() => filesBelow(spillDir).length === 0)
      expect({ read, error, later: handle.collected.stdout?.readFrom(0) }).toEqual({
        read: { text: digits.slice(-1000), nextOffset: digits.length, lossy: true },
        error: null,
        later: read
      })
    })

    it('does not come back after it went', async () => {
      const script = 'head -c 3000 /dev/zero; read -r _; head -c 500 /dev/zero'
      const stdio = { stdin: 'pipe', stdout: { maxBytes: 100, spill: { maxBytes: 2000 } } } as const
      const handle = runtime.spawn(bash(script, { stdio }))
      const reader = handle.collected.stdout
      await until(() => reader?.totalBytes === 3000 && filesBelow(spillDir).length === 0)
      handle.stdin?.end('\n')
      await handle.done
      expect({ read: reader?.readFrom(0), files: filesBelow(spillDir) }).toEqual({
        read: { text: '\0'.repeat(100), nextOffset: 3500, lossy: true },
        files: []
      })
    })

    it('of one stream is apart from that of the other and of other commands', async () => {
      const stream = { maxBytes: 10, spill: { maxBytes: 1000 } }
      const handles = [0, 1, 2].map((index) =>
        runtime.spawn(
          bash(`printf 'out-%s-0123456789' ${index}; printf 'err-%s-0123456789' ${index} >&2`, {
            stdio: { stdout: stream, stderr: stream }
          })
        )
      )
      await Promise.all(handles.map(({ done }) => done))
      const contents = handles.map(({ collected }) =>
        [collected.stdout, collected.stderr].map((reader) =>
          fs.readFileSync(reader?.readFrom(0).spillPath ?? '', 'utf8')
        )
      )
      expect(contents).toEqual([0, 1, 2].map((index) => [`out-${index}-0123456789`, `err-${index}-0123456789`]))
    })

    it('is complete when a large stream has settled', async () => {
      const { path = '', read } = await run('head -c 30000000 /dev/zero', 1000, 1e9)
      expect([read?.nextOffset, fs.statSync(path).size]).toEqual([30_000_000, 30_000_000])
    })
  })

  describe('a spill that fails', () => {
    it('because its folder cannot be made is told once and harms nothing', async () => {
      fs.rmdirSync(spillDir)
      const { outcome, read, error } = await run('seq 1 20000', 1000, 1_000_000)
      expect({ outcome, read, code: (error as NodeJS.ErrnoException | null)?.code }).toEqual({
        outcome: success,
        read: { text: digits.slice(-1000), nextOffset: digits.length, lossy: true },
        code: 'ENOENT'
      })
    })

    it('because its folder was removed does not make it again', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, 1_000_000)
      fs.rmSync(dirname(path), { recursive: true })
      const { outcome, read, error } = await run('seq 1 20000', 1000, 1_000_000)
      expect({
        outcome,
        read,
        code: (error as NodeJS.ErrnoException | null)?.code,
        made: fs.readdirSync(spillDir)
      }).toEqual({
        outcome: success,
        read: { text: digits.slice(-1000), nextOffset: digits.length, lossy: true },
        code: 'ENOENT',
        made: []
      })
    })
  })

  describe('at disposal spill files', () => {
    it('are removed, with their folder, and not named any more', async () => {
      const { handle } = await run('seq 1 20000', 1000, 1_000_000)
      await runtime.dispose()
      expect({ made: fs.readdirSync(spillDir), named: handle.collected.stdout?.readFrom(0).spillPath }).toEqual({
        made: [],
        named: undefined
      })
    })

    it('stay when they were claimed', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, 1_000_000)
      await run('seq 1 20000', 1000, 1_000_000)
      const claims = [runtime.claimSpill(path), runtime.claimSpill(`${path}x`)]
      await runtime.dispose()
      expect({ claims, left: filesBelow(spillDir), content: fs.readFileSync(path, 'utf8') }).toEqual({
        claims: [true, false],
        left: [path],
        content: digits
      })
    })

    it('go with whatever a command has put beside them', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, 1_000_000)
      const beside = join(dirname(path), 'parts', 'of it')
      fs.mkdirSync(beside, { recursive: true })
      fs.writeFileSync(join(beside, 'first'), 'x')
      await runtime.dispose()
      expect(fs.readdirSync(spillDir)).toEqual([])
    })

    it('are not looked for behind a link that stands in the place of their folder', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, 1_000_000)
      const strange = fs.mkdtempSync(join(root, 'strange-'))
      fs.writeFileSync(join(strange, 'kept'), 'x')
      fs.rmSync(dirname(path), { recursive: true })
      fs.symlinkSync(strange, dirname(path))
      await runtime.dispose()
      expect(fs.readdirSync(strange)).toEqual(['kept'])
    })

    it('that were claimed and taken elsewhere leave no folder', async () => {
      const { path = '' } = await run('seq 1 20000', 1000, 1_000_000)
      await run('seq 1 20000', 1000, 1_000_000)
      const claimed = runtime.claimSpill(path)
      const elsewhere = join(spillDir, 'mine.log')
      fs.renameSync(path, elsewhere)
      await runtime.dispose()
      expect({ claimed, left: fs.readdirSync(spillDir) }).toEqual({ claimed: true, left: ['mine.log'] })
    })
  })
})

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
