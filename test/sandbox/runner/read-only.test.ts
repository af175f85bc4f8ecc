// Without a writable root: nothing of the file system changes, and what is no file works as ever.

import { readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { callers, ended, openFolder, root, runner, user } from './runner.js'

const folder = openFolder()

/** Runs each command for itself; prints those that succeed. */
const succeeding = (commands: readonly string[]): string =>
  commands.map((command) => `if (${command}) 2>/dev/null >/dev/null; then echo '${command}'; fi`).join('\n')

for (const caller of callers) {
  describe(`read-only for ${caller.name}`, () => {
    caller.test('refuses every change of a folder that everyone may change', () => {
      const changes = ['touch new', 'mkdir new', 'chmod 755 .', 'touch .', 'ln -s a new', 'mkfifo new', 'mv . ../new']
      expect(caller.bash(succeeding(changes), [], { cwd: folder })).toBe('')
      expect(readdirSync(folder)).toEqual([])
    })

    caller.test('says that the file system is read-only', () => {
      expect(caller.confine(['--', 'touch', `${folder}/new`])).toEqual({
        ...{ status: 1, signal: null, stdout: '' },
        stderr: `touch: cannot touch '${folder}/new': Read-only file system\n`
      })
    })

    caller.test('reads everything and stays in its working folder', () => {
      expect(caller.bash('pwd && cat /etc/passwd >/dev/null && ls -di .', [], { cwd: folder })).toBe(
        caller.start(['/bin/bash', '-c', 'pwd && ls -di .'], { cwd: folder }).stdout
      )
    })

    caller.test('has the devices that programs need, and no other', () => {
      const script = `
        ls /dev | tr '\\n' ' '; find /dev -type b | wc -l
        echo x >/dev/null && echo x >>/dev/null && head -c 3 /dev/zero | wc -c && head -c 4 /dev/urandom | wc -c
        head -c 2 /dev/random | wc -c; echo x 2>&1 >/dev/full | grep -c 'No space'
        (echo out >/dev/stdout; echo fd >/dev/fd/1) | cat; readlink /dev/fd /dev/stdin /dev/ptmx`
      expect(caller.bash(script, [])).toBe(
        'fd full null ptmx pts random shm stderr stdin stdout tty urandom zero 0\n3\n4\n2\n1\nout\nfd\n' +
          '/proc/self/fd\n/proc/self/fd/0\npts/ptmx\n'
      )
    })

    caller.test('has shared memory and terminals of its own', () => {
      const script = `
        ls -A /dev/shm; echo memory >/dev/shm/x && cat /dev/shm/x
        script -qec 'tty; echo typed >/dev/tty' /dev/null </dev/null | tr -d '\\r'`
      expect(caller.bash(script, [])).toBe('memory\n/dev/pts/0\ntyped\n')
      expect(readdirSync('/dev/shm')).not.toContain('x')
    })

    caller.test('lets a process change its own files in /proc and nothing else there', () => {
      const own = ['echo 300 > /proc/self/oom_score_adj', 'echo name > /proc/self/comm']
      // Opening is what is refused, so nothing is written even if it is not.
      const others = [
        'true > /proc/sys/kernel/hostname',
        'true > /proc/sys/vm/swappiness',
        'true > /proc/sysrq-trigger',
        'chmod 600 /proc/sys/kernel/hostname'
      ]
      expect(caller.bash(succeeding([...own, ...others]), [])).toBe(own.map((line) => `${line}\n`).join(''))
    })

    caller.test('reaches no process outside', () => {
      const outside = [process.pid, process.ppid]
      const attempts = outside.flatMap((pid) => [`kill -0 ${pid}`, `ls /proc/${pid}/root/`, `cat /proc/${pid}/environ`])
      expect(caller.bash(succeeding([...attempts, 'sleep 9 & kill $!']), [])).toBe('sleep 9 & kill $!\n')
    })

    caller.test('has System V shared memory of its own', () => {
      const own = ['readlink', '/proc/self/ns/ipc']
      expect(caller.confine(['--', ...own]).stdout).not.toBe(caller.start(own).stdout)
      expect(caller.bash('tail -n +2 /proc/sysvipc/shm | wc -l', [])).toBe('0\n')
    })

    caller.test('hands in the three streams and no other descriptor', () => {
      const script = 'exec 7</etc/passwd 9>/dev/null; exec "$0" confine -- ls /proc/self/fd'
      // 3 is what ls reads the folder with.
      expect(caller.start(['/bin/bash', '-c', script, runner])).toEqual(ended('0\n1\n2\n3\n'))
    })
  })
}

describe('ids and capabilities', () => {
  root.test('are those of root over files, without a way to gain more', () => {
    const script = 'id -u; grep -E "^(CapPrm|CapBnd|CapAmb|NoNewPrivs)" /proc/self/status; cat /proc/self/uid_map'
    expect(root.bash(script, []).replace(/[ \t]+/g, ' ')).toBe(
      '0\nCapPrm: 00000000000000fb\nCapBnd: 00000000000000fb\nCapAmb: 0000000000000000\nNoNewPrivs: 1\n' +
        root.bash('cat /proc/self/uid_map', ['--landlock-only']).replace(/[ \t]+/g, ' ')
    )
  })

  root.test('leave out what the caller itself has not', () => {
    const argv = ['setpriv', '--bounding-set', '-chown,-kill', '--inh-caps', '-chown,-kill', runner, 'confine', '--']
    const { stdout } = root.start([...argv, 'grep', '^CapPrm', '/proc/self/status'])
    expect(stdout).toBe('CapPrm:\t00000000000000da\n')
  })

  user.test('are those of an ordinary user alone', () => {
    const script = 'id -u; grep -E "^(CapPrm|CapAmb|NoNewPrivs)" /proc/self/status; cat /proc/self/uid_map'
    expect(user.bash(script, []).replace(/[ \t]+/g, ' ')).toBe(
      `${user.uid}\nCapPrm: 0000000000000000\nCapAmb: 0000000000000000\nNoNewPrivs: 1\n ${user.uid} ${user.uid} 1\n`
    )
  })
})
