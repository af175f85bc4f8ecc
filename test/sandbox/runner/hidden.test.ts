// Hidden paths and the network that is none.

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { callers, ended, openFolder } from './runner.js'

const folder = openFolder()
const keys = join(folder, 'keys')
const key = join(folder, 'key')
mkdirSync(keys)
writeFileSync(join(keys, 'one'), 'secret\n')
chmodSync(keys, 0o777)
writeFileSync(key, 'secret\n')
chmodSync(key, 0o666)
symlinkSync(key, join(folder, 'link'))
const hide = ['--hide', keys, '--hide', join(folder, 'link'), '--hide', join(folder, 'missing')]

for (const caller of callers) {
  describe(`hidden paths for ${caller.name}`, () => {
    for (const [where, roots] of Object.entries({ 'a read-only tree': [], 'a writable root': ['--rw', folder] })) {
      caller.test(`are empty in ${where}, by every name`, () => {
        const script = `ls -A ${keys} | wc -l; cat ${keys}/one 2>/dev/null || echo gone; cat ${key} link; ls`
        expect(caller.bash(script, [...roots, ...hide], { cwd: folder })).toBe('0\ngone\nkey\nkeys\nlink\n')
      })

      caller.test(`can be neither written to, removed, moved nor uncovered in ${where}`, () => {
        const attempts = [`echo x > ${key}`, `echo x > ${keys}/new`, `rm ${key}`, `mv ${keys} other`, `umount ${keys}`]
        const script = attempts.map((attempt) => `(${attempt}) 2>/dev/null && echo '${attempt}'`).join('\n')
        expect(caller.bash(`${script}\ntrue`, [...roots, ...hide], { cwd: folder })).toBe('')
        expect([readFileSync(key, 'utf8'), readFileSync(join(keys, 'one'), 'utf8')]).toEqual(['secret\n', 'secret\n'])
      })
    }

    caller.test('leave shared memory as it is', () => {
      expect(caller.bash('ls -A /dev/shm && echo x > /dev/shm/x && cat /dev/shm/x', hide)).toBe('x\n')
    })
  })

  describe(`no network for ${caller.name}`, () => {
    caller.test('leaves a loopback of its own and nothing else', () => {
      const script = `
        const { createServer, connect } = require('net')
        const names = Object.keys(require('os').networkInterfaces()).join()
        const server = createServer((socket) => socket.end('own')).listen(0, '127.0.0.1', () =>
          connect(server.address().port, '127.0.0.1', function () {
            this.on('data', (data) => { console.log(names, String(data)); server.close() })
          }))`
      const { execPath } = process
      expect(caller.confine(['--network', 'none', '--', execPath, '-e', script])).toEqual(ended('lo own\n'))
    })

    caller.test('does not reach a server of the host, which is reached otherwise', async () => {
      const server = createServer((socket) => socket.destroy())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const script = `(: < /dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo refused`
      // The kernel accepts for the server, which cannot run while this waits.
      const answers = [[], ['--network', 'none']].map((options) => caller.bash(script, options))
      await new Promise((resolve) => server.close(resolve))
      expect(answers).toEqual(['reached\n', 'refused\n'])
    })
  })
}
