// Ordinary work, as small scripts of bash: each ends with 0 where all of it works, and leaves nothing behind.

import type { BackendName } from '../escape/backends.js'

export interface Job {
  readonly name: string
  /** Programs that a machine may lack. */
  readonly needs?: readonly string[]
  readonly script: string
  /** With that backend it does not work for them, as the documentation says. */
  readonly except?: { readonly backend: BackendName; readonly uid?: number }
}

const python = (program: string): string => `/usr/bin/python3 - <<'PROGRAM'\n${program}\nPROGRAM\n`

/** Without namespaces nothing covers the settings of the machine in /proc, so root gets no right to write there. */
const ownSettings = { backend: 'landlock', uid: 0 } as const

/** Where nothing but devices and a process's own settings can be written. */
export const jobsInEveryMode: readonly Job[] = [
  { name: 'null and zero', script: 'echo x > /dev/null; echo x >> /dev/null; head -c1 /dev/zero > /dev/null' },
  {
    name: '/dev/stdout is a pipe',
    script: 'test "$( (echo one > /dev/stdout; echo two >> /dev/stdout) )" = $\'one\\ntwo\''
  },
  {
    name: '/dev/stderr is a pipe',
    script: 'test "$( (echo one > /dev/stderr) 2>&1 | cat)" = one; echo x > /dev/stderr'
  },
  { name: '/dev/full is full', script: '! echo x > /dev/full' },
  { name: 'random numbers', script: 'test "$(head -c8 /dev/urandom | wc -c)" = 8' },
  { name: 'own oom_score_adj', script: 'echo 100 > /proc/self/oom_score_adj', except: ownSettings },
  { name: 'own name', script: 'echo abc > /proc/self/comm', except: ownSettings },
  { name: 'own core dump filter', script: 'echo 0 > /proc/self/coredump_filter', except: ownSettings },
  { name: 'process substitution', script: 'diff <(echo a) <(echo a)' },
  { name: 'a small here-document', script: "grep -q hello <<'X'\nhello\nX" },
  { name: 'signals to its own children', script: 'sleep 9 & kill $!; wait $! || test $? = 143' },
  { name: 'timeout', script: 'timeout 0.2 sleep 9 || test $? = 124' },
  { name: 'signals to an own group', script: 'setsid sleep 9 & until kill -- -$! 2> /dev/null; do sleep 0.01; done' },
  { name: 'nice and limits', script: 'nice -n 5 true; ulimit -c 0; ulimit -n 256' },
  { name: 'ps', script: 'ps -o pid= -p $$ | grep -q .' },
  { name: 'reading', script: 'ls / > /dev/null; cat /etc/passwd > /dev/null; git --version' },
  { name: 'strace', needs: ['strace'], script: 'strace -o /dev/null true' },
  {
    name: 'script, with a terminal inside',
    needs: ['script'],
    script: 'script -qec "test -t 0; echo hi > /dev/tty; stty size" /dev/null'
  },
  {
    name: 'a terminal from Python',
    script: python(
      'import os, pty\nm, s = pty.openpty()\nos.write(s, b"x")\nassert os.read(m, 1) == b"x"\nos.ttyname(s)'
    )
  },
  {
    name: 'semaphores and locks of multiprocessing',
    script: python('import multiprocessing as m\ns = m.Semaphore(1)\ns.acquire()\ns.release()\nm.Lock()')
  },
  {
    name: 'a pool of multiprocessing',
    script: python('import multiprocessing as m\nwith m.Pool(2) as p: assert p.map(abs, [-1, 2]) == [1, 2]')
  },
  {
    name: 'shared memory of multiprocessing',
    script: python(
      'from multiprocessing import shared_memory as m\na = m.SharedMemory(create=True, size=4096)\na.close()\na.unlink()'
    )
  },
  {
    name: 'a memory file, opened again',
    script: python('import os\nf = os.memfd_create("x")\nos.write(f, b"x")\nopen(f"/proc/self/fd/{f}", "w").close()')
  },
  {
    name: 'sockets on loopback',
    script: python(
      'import socket as s\na = s.socket()\na.bind(("127.0.0.1", 0))\na.listen()\nc = s.socket()\n' +
        'c.connect(a.getsockname())\nb, _ = a.accept()\nc.sendall(b"x")\nassert b.recv(1) == b"x"'
    )
  },
  {
    name: 'abstract sockets of its own',
    script: python(
      'import os, socket as s\na = s.socket(s.AF_UNIX)\na.bind(b"\\0work%d" % os.getpid())\na.listen()\n' +
        'c = s.socket(s.AF_UNIX)\nc.connect(a.getsockname())'
    )
  },
  { name: 'node with a worker', script: `node -e 'new (require("node:worker_threads").Worker)("1", { eval: true })'` }
]

export const jobsOfReadOnly: readonly Job[] = [
  { name: 'no file', script: '! touch made' },
  { name: 'no temporary file', script: '! mktemp' },
  { name: 'no other mode', script: '! chmod 700 .', except: { backend: 'landlock' } },
  { name: 'no other content', script: '! echo x > kept; test "$(cat kept)" = kept' }
]
