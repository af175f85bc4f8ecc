import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SpillFolder } from '../../../src/subprocess/local/spill-folder.js'
import { SpillFile } from '../../../src/subprocess/node/spill-file.js'

let root: string
let folder: SpillFolder
const calls: string[] = []
const listener = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'spill-file-test-'))
  folder = new SpillFolder(root)
  calls.length = 0
})

afterEach(() => fs.rmSync(root, { recursive: true }))

const spill = (maxBytes: number) => new SpillFile(maxBytes, folder, 'stdout', listener)
/** Beside the link that names the owner. */
const filesLeft = () =>
  fs.existsSync(folder.path) ? fs.readdirSync(folder.path).filter((name) => name !== 'owner') : []

describe('a spill file', () => {
  it('has everything in order, and is named once it exists', async () => {
    const file = spill(100)
    for (const word of ['one ', 'two ', 'three']) file.append(Buffer.from(word))
    const early = file.path
    await file.flushed()
    expect({ early, content: fs.readFileSync(file.path ?? '', 'utf8'), error: file.error, calls }).toEqual({
      early: null,
      content: 'one two three',
      error: null,
      calls: []
    })
    file.seal()
    await file.flushed()
  })

  it('takes more after it was flushed', async () => {
    const file = spill(100)
    file.append(Buffer.from('one '))
    await file.flushed()
    file.append(Buffer.from('two'))
    file.seal()
    await file.flushed()
    expect(fs.readFileSync(file.path ?? '', 'utf8')).toBe('one two')
  })

  it('makes the stream wait when it is behind, and go on when it is not', async () => {
    const file = spill(1e9)
    for (let index = 0; index < 5; index += 1) file.append(Buffer.alloc(400_000))
    const behind = [...calls]
    await file.flushed()
    file.seal()
    await file.flushed()
    expect({ behind, calls, size: fs.statSync(file.path ?? '').size }).toEqual({
      behind: ['pause'],
      calls: ['pause', 'resume'],
      size: 2_000_000
    })
  })

  it('over the cap goes at once, does not come back, and lets the stream go on', async () => {
    const file = spill(2_000_000)
    file.append(Buffer.alloc(1_500_000))
    await new Promise((resolve) => setImmediate(resolve))
    file.append(Buffer.alloc(600_000))
    const withdrawn = file.path
    await file.flushed()
    file.append(Buffer.from('later'))
    await file.flushed()
    expect({ withdrawn, path: file.path, error: file.error, files: filesLeft(), calls }).toEqual({
      withdrawn: null,
      path: null,
      error: null,
      files: [],
      calls: ['pause', 'resume']
    })
  })

  it('that cannot be written is withdrawn, with the reason, and the stream goes on', async () => {
    const file = spill(1e9)
    file.append(Buffer.from('fine'))
    await file.flushed()
    const { path } = file
    // A device that takes nothing stands in for a full disk.
    const handle = await fs.promises.open('/dev/full', 'w')
    const { open } = fs.promises
    const other = spill(1e9)
    Reflect.set(fs.promises, 'open', async () => handle)
    other.append(Buffer.alloc(1_500_000))
    await other.flushed()
    Reflect.set(fs.promises, 'open', open)
    other.append(Buffer.from('later'))
    await other.flushed()
    file.seal()
    await file.flushed()
    expect({
      path: other.path,
      code: (other.error as NodeJS.ErrnoException | null)?.code,
      calls,
      kept: file.path
    }).toEqual({
      path: null,
      code: 'ENOSPC',
      calls: ['pause', 'resume'],
      kept: path
    })
  })

  it('that cannot be closed is withdrawn, with the reason', async () => {
    const failure = new Error('cannot close')
    const open = fs.promises.open
    Reflect.set(fs.promises, 'open', async (...args: Parameters<typeof open>) => {
      const handle = await open(...args)
      const close = handle.close.bind(handle)
      handle.close = async () => {
        await close()
        throw failure
      }
      return handle
    })
    const file = spill(100)
    file.append(Buffer.from('text'))
    await file.flushed()
    file.seal()
    await file.flushed()
    Reflect.set(fs.promises, 'open', open)
    expect({ path: file.path, error: file.error }).toEqual({ path: null, error: failure })
  })
})
