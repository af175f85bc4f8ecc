// The runner as it is found: executable, even where a packer has dropped its execute bit.

import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { executable, runnerPath } from '../../../src/native/runner-path.js'
import { openFolder, root, runner, user } from './runner.js'

const folder = openFolder()

/** A copy of the runner that cannot be executed. */
function plainCopy(name: string): string {
  const path = join(folder, name)
  fs.copyFileSync(runner, path)
  fs.chmodSync(path, 0o644)
  return path
}

const answer = { status: 125, signal: null, stdout: '', stderr: 'quiesce-runner: options: missing sub-command\n' }

describe('the path of the runner', () => {
  user.test('is that of the one that was built, the same each time', () => {
    expect([runnerPath(), fs.statSync(runner).mode & 0o111]).toEqual([runner, 0o111])
  })

  user.test('is null where there is no such file', () => {
    expect(executable(join(folder, 'missing'))).toBeNull()
  })

  user.test('leads to a file that has its execute bit again', () => {
    const path = plainCopy('dropped')
    expect([executable(path), fs.statSync(path).mode & 0o777]).toEqual([path, 0o755])
    expect(user.start([path])).toEqual(answer)
  })

  root.test('leads to a copy without a name where the file cannot be changed', () => {
    const path = plainCopy('fixed')
    // Only the first call is about the file; the second one is about the copy.
    const chmod = vi.spyOn(fs, 'chmodSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    })
    const found = executable(path) ?? ''
    chmod.mockRestore()
    const descriptor = Number(found.split('/').at(-1))
    expect({ found, mode: fs.statSync(path).mode & 0o777, links: fs.fstatSync(descriptor).nlink }).toEqual({
      found: `/proc/${process.pid}/fd/${descriptor}`,
      mode: 0o644,
      links: 0
    })
    expect(root.start([found])).toEqual(answer)
    fs.closeSync(descriptor)
  })
})
