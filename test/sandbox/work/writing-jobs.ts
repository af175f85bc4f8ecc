// Ordinary work that writes in the workspace and in the temp folder.

import type { Job } from './jobs.js'

const python = (program: string): string => `/usr/bin/python3 - <<'PROGRAM'\n${program}\nPROGRAM\n`
const git = 'git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c gc.auto=0'

const build = `mkdir c && cd c
printf 'int twice(int x) { return 2 * x; }\\n' > twice.c
printf 'int twice(int);\\nint main(void) { return twice(21) != 42; }\\n' > main.c
printf 'all: main\\nmain: main.o twice.o\\n\\tcc -o $@ $^\\n' > Makefile
make -s -j2 && ./main && cd .. && rm -r c`

const install = `mkdir -p p/dependency && cd p
echo '{ "name": "dependency", "version": "1.0.0" }' > dependency/package.json
echo '{ "name": "a", "dependencies": { "dependency": "file:dependency" } }' > package.json
npm install --offline --no-audit --no-fund --loglevel=error --cache "$TMPDIR/npm-$$" > /dev/null
test -e node_modules/dependency/package.json && cd .. && rm -r p "$TMPDIR/npm-$$"`

const worktree = (main: string): string => `${git} init -q ${main} && cd ${main}
echo a > a && ${git} add a && ${git} commit -qm one
${git} worktree add -q "$WORKSPACE/linked" && cd "$WORKSPACE/linked"
echo b > b && ${git} add b && ${git} commit -qm two && ${git} gc -q
test "$(${git} log --oneline | wc -l)" = 2
cd "$WORKSPACE" && rm -rf linked ${main}`

export const writingJobs: readonly Job[] = [
  { name: 'git in a linked worktree', script: worktree('main') },
  { name: 'git in a worktree of a repository in another writable root', script: worktree('"$EXTRA/main"') },
  { name: 'npm install from a local folder', script: install },
  { name: 'a C build with make', script: build },
  {
    name: 'sqlite with a write-ahead log',
    needs: ['sqlite3'],
    script: `sqlite3 db 'pragma journal_mode=wal; create table t(a); insert into t values(1); select * from t' | grep -qx 1
rm -f db db-*`
  },
  {
    name: 'sqlite from Python',
    script: `${python('import sqlite3\nc = sqlite3.connect("db")\nc.execute("create table t(a)")\nc.execute("insert into t values(1)")\nc.commit()')}rm db`
  },
  {
    name: 'mktemp',
    script: 'f=$(mktemp) && echo x > $f && rm $f; d=$(mktemp -d) && rmdir $d; f=$(mktemp -p .) && rm $f'
  },
  {
    name: 'rename and hard link between folders',
    script: `mkdir -p a b && echo x > a/f && mkdir a/sub
${python('import os\nos.rename("a/f", "b/f")\nos.link("b/f", "a/l")\nos.rename("a/sub", "b/sub")\nassert os.stat("a/l").st_nlink == 2')}rm -r a b`
  },
  { name: 'mv to the temp folder and back', script: 'echo x > m && mv m $TMPDIR/m-$$ && mv $TMPDIR/m-$$ m && rm m' },
  {
    name: 'a socket with a path',
    script: python(
      'import os, socket as s\na = s.socket(s.AF_UNIX)\na.bind("sock")\na.listen()\nc = s.socket(s.AF_UNIX)\n' +
        'c.connect("sock")\nos.unlink("sock")'
    )
  },
  { name: 'a FIFO', script: 'mkfifo p && (echo x > p & test "$(cat p)" = x) && rm p' },
  { name: 'flock', script: 'flock lock true && rm lock' },
  {
    name: 'a large here-document',
    script: `x=$(head -c 200000 /dev/zero | tr '\\0' a)
test "$(cat <<X | wc -c
$x
X
)" = 200001`
  },
  {
    name: 'modes and times',
    script:
      'echo x > m && chmod 600 m && touch -d 2001-01-01 m && cp -p m n && rm m n && mkdir q && chmod 2755 q && rmdir q'
  },
  {
    name: 'an unnamed file that gets a name',
    script: python(
      'import ctypes, os\nf = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)\nos.write(f, b"x")\n' +
        'path = b"/proc/self/fd/%d" % f\nassert ctypes.CDLL(None).linkat(-100, path, -100, b"made", 0x400) == 0\n' +
        'os.unlink("made")'
    )
  },
  { name: 'truncate and allocate', script: 'truncate -s 1M big && fallocate -l 2M big && : > big && rm big' },
  {
    name: 'a shared mapping',
    script: `${python('import mmap\nf = open("mm", "w+b")\nf.truncate(4096)\nm = mmap.mmap(f.fileno(), 4096)\nm[0] = 1\nm.flush()')}rm mm`
  },
  { name: 'symlinks', script: 'ln -s /etc/passwd s && test "$(readlink s)" = /etc/passwd && rm s' },
  { name: 'tar', script: 'mkdir t && echo x > t/f && tar cf t.tar t && rm -r t && tar xpf t.tar && rm -r t t.tar' },
  {
    name: 'temporary files of Python',
    script: python('import tempfile\nwith tempfile.NamedTemporaryFile() as f: f.write(b"x")')
  }
]

/** Root stays root over the files of the workspace, where the backend keeps those capabilities. */
export const writingJobsOfRoot: readonly Job[] = [
  { name: 'chown', script: 'touch o && chown 4242:4242 o && test "$(stat -c %u o)" = 4242 && rm o' },
  { name: 'another user', script: 'test "$(setpriv --reuid 4242 --regid 4242 --clear-groups id -u)" = 4242' },
  { name: 'a folder of another user', script: 'mkdir d && chown 4242 d && chmod 700 d && touch d/f && rm -r d' },
  { name: 'no device nodes', script: '! mknod made b 7 0' }
]
