import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { createContext } from '../../../src/context/create-context.js'
import { loadAddon } from '../../../src/native/load.js'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { feature } from '../../setup/features.js'

const test = feature('the native addon', () => loadAddon() && true)

const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'cgroup-parent-test-')))
afterAll(() => fs.rmSync(folder, { recursive: true }))

function refusal(cgroupParent: string): unknown {
  try {
    return new NativeSubprocessRuntime({ cgroupParent })
  } catch (error) {
    const { message, code, option, value } = error as Error & Record<'code' | 'option' | 'value', unknown>
    return { message, code, option, value }
  }
}

describe('a cgroupParent', () => {
  test('that is an ordinary folder is refused as no cgroup v2 folder, and nothing is made in it', () => {
    expect({ refused: refusal(folder), made: fs.readdirSync(folder) }).toEqual({
      refused: {
        message: `cgroupParent "${folder}" cannot be used: ${folder} is not a cgroup v2 folder`,
        code: 'RANGE_UNAVAILABLE',
        option: 'cgroupParent',
        value: folder
      },
      made: []
    })
  })

  test('that does not exist or is a file is refused with what the kernel says of it', () => {
    const file = join(folder, 'file')
    fs.writeFileSync(file, '')
    const missing = join(folder, 'missing')
    expect([refusal(missing), refusal(file)]).toEqual([
      expect.objectContaining({
        message: `cgroupParent "${missing}" cannot be used: ${missing} cannot hold commands: no such file or directory (ENOENT, open "${missing}")`
      }),
      expect.objectContaining({
        message: `cgroupParent "${file}" cannot be used: ${file} cannot hold commands: not a directory (ENOTDIR, open "${file}")`
      })
    ])
  })

  test('that createContext is given and cannot be used is named as its own option', async () => {
    const given = createContext({ subprocess: { provider: 'native', cgroupParent: folder } })
    await expect(given).rejects.toMatchObject({
      message: expect.stringContaining(`subprocess.cgroupParent "${folder}" cannot be had on this host`),
      code: 'RANGE_UNAVAILABLE',
      option: 'subprocess.cgroupParent',
      value: folder
    })
  })
})
