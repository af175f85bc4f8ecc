// Writable roots: which they may be, what may be done in them, and that nothing beside them changes.

import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Caller, callers, ended, openFolder, runner } from './runner.js'

const outside = openFolder()

/** Belongs to the caller, in a folder that everyone may write to. */
function workspaceOf({ name, uid }: Caller): string {
  const folder = join(outside, name.replaceAll(' ', '-'))
  mkdirSync(folder)
  if (uid !== process.geteuid?.()) chownSync(folder, uid, uid)
  return folder
}

for (const caller of callers) {
  const base = workspaceOf(caller)
  const clear = () => caller.start(['find', base, '-mindepth', '1', '-delete'])

  describe(`writable roots for ${caller.name}`, () => {
    caller.test('are the only places that can be written to', () => {
      const script =
        'echo one > file && cat file; echo two 2>/dev/null > ../beside || echo refused; chmod 750 . && mkdir d'
      expect(caller.bash(`exec 2>/dev/null; ${script}`, ['--rw', base], { cwd: base })).toBe('one\nrefused\n')
      expect([readdirSync(base), readFileSync(join(base, 'file'), 'utf8')]).toEqual([['d', 'file'], 'one\n'])
      clear()
    })

    caller.test('let files move and be linked between their folders', () => {
      const script = 'mkdir a b && echo x > a/f && ln a/f b/l && mv a/f b/f && mv b c && ls c && rm -r a c && ls'
      expect(caller.bash(script, ['--rw', base, '--rw', '/tmp'], { cwd: base })).toBe('f\nl\n')
    })

    caller.test('may be files, symbolic links and relative paths', () => {
      const link = `${base}-link`
      const file = `${base}-file`
      symlinkSync(base, link)
      writeFileSync(file, '')
      chmodSync(file, 0o666)
      const script =
        'echo x > "$0/x" && echo y > "$1" && cat "$0/x" "$1" && rm "$0/x" && rm "$1" 2>/dev/null || echo kept'
      const roots = ['--rw', basename(link), '--rw', file]
      const argv = [...roots, '--', '/bin/bash', '-c', script, link, file]
      expect(caller.confine(argv, { cwd: outside })).toEqual(ended('x\ny\nkept\n'))
    })

    caller.test('keep their links from leading to files outside', () => {
      const script = `ln -s ${outside}/beside link; echo x > link`
      expect(caller.confine(['--rw', base, '--', '/bin/sh', '-c', script], { cwd: base })).toMatchObject({
        stdout: '',
        stderr: expect.stringContaining('Read-only file system')
      })
      clear()
    })

    caller.test('hold no device that works', () => {
      const script = 'mknod disk b 7 0 || mknod null c 1 3 || echo none'
      expect(caller.bash(`exec 2>/dev/null; ${script}`, ['--rw', base], { cwd: base })).toBe('none\n')
    })

    caller.test('show again below a private /tmp, which goes away', () => {
      const script = `ls -A /tmp | wc -l; echo x > /tmp/private && mktemp >/dev/null && echo y > ${base}/y && pwd`
      const place = outside.startsWith('/tmp/') ? '1' : '0'
      expect(caller.bash(script, ['--private-tmp', '--rw', base, '--rw', '/tmp'], { cwd: base })).toBe(
        `${place}\n${base}\n`
      )
      expect([readdirSync(base), readdirSync('/tmp').includes('private')]).toEqual([['y'], false])
      clear()
    })

    caller.test('may be everything, and the kernel stays as it is', () => {
      const script = `
        echo x > ${base}/x && cat ${base}/x && rm ${base}/x; ls /dev | wc -l
        for file in /proc/sys/kernel/hostname /sys/kernel/mm/transparent_hugepage/enabled; do
          (: > $file) 2>/dev/null && echo "opened $file"; done; true`
      expect(caller.bash(script, ['--rw', '/', '--rw', base])).toBe('x\n13\n')
    })

    caller.test('bring the mounts along that lie in them, each as it was', () => {
      const inside = [
        'mount -t tmpfs none "$1"',
        'mkdir "$1/rw" "$1/ro"',
        'mount -t tmpfs none "$1/rw" && mount -t tmpfs none "$1/ro" && mount -o remount,bind,ro "$1/ro"',
        'cd "$1"',
        'exec "$0" confine --rw "$1" -- /bin/sh -c "touch x rw/x && ls -R . && touch ro/x"'
      ].join(' && ')
      // In a mount namespace of its own: nothing of this reaches the machine.
      const isolated = ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private', '/bin/sh', '-c']
      const { status, stdout, stderr } = caller.start([...isolated, inside, runner, base])
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '.:\nro\nrw\nx\n\n./ro:\n\n./rw:\nx\n',
        stderr: "touch: cannot touch 'ro/x': Read-only file system\n"
      })
      expect(readdirSync(base)).toEqual([])
    })
  })
}
