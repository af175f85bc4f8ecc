// The host changes after a confinement was prepared: the next command finds what is there now, in a confinement that was
// prepared again, and never the host itself.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { feature } from '../../setup/features.js'
import { makeFolder, test } from './confined.js'
import { inPreparedHost, isRoot, type PreparedHost } from './hosts.js'

let folder: string

beforeAll(() => {
  folder = makeFolder('staleness')
})

afterAll(() => rmSync(folder, { recursive: true }))

const told = async (body: string, host?: PreparedHost): Promise<unknown> => (await inPreparedHost(body, host)).told

const asRoot = feature('root', isRoot)

/** `change` runs between two commands; `first` and `second` are scripts below `options`. */
function around(change: string, first: string, second: string, options: string): string {
  return `
    const place = fs.mkdtempSync(${JSON.stringify(`${folder}/`)})
    const workspace = place + '/workspace'
    fs.mkdirSync(workspace)
    fs.writeFileSync(place + '/hidden', 'secret')
    const options = ${options}
    const before = await namespaceOf(options)
    const one = await run(confined(\`${first}\`, options))
    ${change}
    const two = await run(confined(\`${second}\`, options))
    const after = await namespaceOf(options)
    const again = await namespaceOf(options)
    tell({ one, two, prepared: new Set([before, after, again]).size, made: fs.readdirSync(workspace).sort() })
  `
}

const write = 'echo x > ${workspace}/NAME && echo written'
const twoWrites = [write.replace('NAME', 'first'), write.replace('NAME', 'second')] as const
const written = { exitCode: 0, stdout: 'written\n', stderr: '' }
const inWorkspace = `['--rw', workspace]`

describe('a workspace', () => {
  test('that nobody touches is prepared once', async () => {
    expect(await told(around('', ...twoWrites, inWorkspace))).toEqual({
      one: written,
      two: written,
      prepared: 1,
      made: ['first', 'second']
    })
  })

  test('that was deleted and made again is written to in its new form', async () => {
    const change = 'fs.rmSync(workspace, { recursive: true }); fs.mkdirSync(workspace)'
    expect(await told(around(change, ...twoWrites, inWorkspace))).toEqual({
      one: written,
      two: written,
      prepared: 2,
      made: ['second']
    })
  })

  test('that was renamed and replaced is written to in the new place, and the old one no longer', async () => {
    const change = "fs.renameSync(workspace, place + '/old'); fs.mkdirSync(workspace)"
    const second = `${twoWrites[1]}; echo x > \${place}/old/more || echo refused`
    expect(await told(around(change, twoWrites[0], second, inWorkspace))).toEqual({
      one: written,
      two: { exitCode: 0, stdout: 'written\nrefused\n', stderr: expect.stringContaining('Read-only file system') },
      prepared: 2,
      made: ['second']
    })
  })

  test('that was a link, turned to another folder, is the other folder then', async () => {
    const change = "fs.mkdirSync(place + '/other'); fs.rmSync(link); fs.symlinkSync('other', link)"
    const body = around(
      change,
      'echo x > ${link}/first && echo written',
      'echo x > ${link}/second && echo written',
      "['--rw', link]"
    )
    const withLink = body.replace(
      'fs.mkdirSync(workspace)',
      "fs.mkdirSync(workspace); const link = place + '/link'; fs.symlinkSync('workspace', link)"
    )
    expect(await told(withLink)).toEqual({ one: written, two: written, prepared: 2, made: ['first'] })
  })

  test('that is gone is an error of the sandbox, and the command does not run', async () => {
    const change = 'fs.rmSync(workspace, { recursive: true })'
    const body = around(change, twoWrites[0], 'echo ran', inWorkspace).replace(
      'const after',
      'fs.mkdirSync(workspace); const after'
    )
    expect(await told(body)).toEqual({
      one: written,
      two: {
        stage: 'sandbox',
        code: 'ENOTSUP',
        message: expect.stringMatching(
          /^cannot enter the sandbox \(preparation: quiesce-runner: writable-root: No such file or directory: .*workspace\)/
        )
      },
      prepared: 2,
      made: []
    })
  })

  asRoot('that something was mounted over is what was mounted', async () => {
    const change = "execFileSync('mount', ['-t', 'tmpfs', 'none', workspace])"
    expect(await told(around(change, ...twoWrites, inWorkspace), { privateMounts: true })).toEqual({
      one: written,
      two: written,
      prepared: 2,
      made: ['second']
    })
  })

  asRoot('that was a mount and is one no longer is what lies below', async () => {
    const body = around("execFileSync('umount', [workspace])", ...twoWrites, inWorkspace).replace(
      'const options',
      "execFileSync('mount', ['-t', 'tmpfs', 'none', workspace]); const options"
    )
    expect(await told(body, { privateMounts: true })).toEqual({
      one: written,
      two: written,
      prepared: 2,
      made: ['second']
    })
  })
})

describe('a mount that comes later elsewhere', () => {
  asRoot('cannot be written to', async () => {
    const change = "fs.mkdirSync(place + '/new'); execFileSync('mount', ['-t', 'tmpfs', 'none', place + '/new'])"
    const body = around(change, twoWrites[0], 'echo x > ${place}/new/file || echo refused', inWorkspace)
    expect(await told(body, { privateMounts: true })).toEqual({
      one: written,
      two: { exitCode: 0, stdout: 'refused\n', stderr: expect.stringContaining('Read-only file system') },
      prepared: 2,
      made: ['first']
    })
  })
})

describe('a hidden file', () => {
  const read = 'cat ${place}/hidden && echo read'
  const nothingRead = { exitCode: 0, stdout: 'read\n', stderr: '' }

  test('that was replaced by a rename, as editors save, is hidden still', async () => {
    const change = "fs.writeFileSync(place + '/new', 'secret'); fs.renameSync(place + '/new', place + '/hidden')"
    expect(await told(around(change, read, read, "['--hide', place + '/hidden']"))).toMatchObject({
      one: nothingRead,
      two: nothingRead,
      prepared: 2
    })
  })

  test('that appears later is hidden from then on', async () => {
    const change = "fs.writeFileSync(place + '/late', 'secret')"
    const late = 'cat ${place}/late 2>/dev/null; echo read'
    expect(await told(around(change, late, late, "['--hide', place + '/late']"))).toMatchObject({
      one: nothingRead,
      two: nothingRead,
      prepared: 2
    })
  })
})
