// Landlock alone: what may be written to is the same, and what it leaves open is told beforehand.

import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { callers, ended, openFolder } from './runner.js'

const outside = openFolder()
const only = ['--landlock-only']

for (const caller of callers) {
  const workspace = join(outside, caller.name.replaceAll(' ', '-'))
  mkdirSync(workspace)
  if (caller.uid !== process.geteuid?.()) chownSync(workspace, caller.uid, caller.uid)

  describe(`Landlock alone for ${caller.name}`, () => {
    caller.test('says what it does not govern', () => {
      expect(caller.confine([...only, '--probe'])).toEqual(
        ended('quiesce-runner: partial: file metadata; Unix sockets by path\n')
      )
    })

    caller.test('adds nothing to what the command prints', () => {
      expect(caller.confine([...only, '--', 'echo', 'said'])).toEqual(ended('said\n'))
    })

    caller.test('refuses to write, make, remove and link outside the writable roots', () => {
      const file = join(outside, 'file')
      writeFileSync(file, 'kept')
      chmodSync(file, 0o666)
      const attempts = ['echo x > file', 'truncate -s 0 file', 'mkdir new', 'rm file', `ln file ${workspace}/file`]
      const script = attempts.map((attempt) => `(${attempt}) 2>/dev/null && echo '${attempt}'`).join('\n')
      expect(caller.bash(`${script}\ntrue`, [...only, '--rw', workspace], { cwd: outside })).toBe('')
      expect([statSync(file).size, readdirSync(workspace), readdirSync(outside).includes('new')]).toEqual([
        4,
        [],
        false
      ])
    })

    caller.test('lets the command write in its roots, to harmless devices and to shared memory', () => {
      const name = `quiesce-${process.pid}-${caller.uid}`
      const script = `
        echo one > file && mkdir a && mv file a/file && cat a/file && rm -r a
        echo x > /dev/null && echo x > /dev/shm/${name} && rm /dev/shm/${name}
        script -qec 'echo typed >/dev/tty' /dev/null </dev/null | tr -d '\\r'`
      expect(caller.bash(script, [...only, '--rw', workspace], { cwd: workspace })).toBe('one\ntyped\n')
    })

    caller.test('does not reach processes outside or the settings of the kernel', () => {
      const attempts = [
        `kill -0 ${process.pid}`,
        `cat /proc/${process.pid}/environ`,
        'true > /proc/sys/vm/swappiness',
        'mount -t tmpfs none "$PWD"'
      ]
      const script = attempts.map((attempt) => `(${attempt}) >/dev/null 2>&1 && echo '${attempt}'`).join('\n')
      expect(caller.bash(`${script}\ntrue`, [...only, '--rw', workspace], { cwd: workspace })).toBe('')
    })
  })
}
