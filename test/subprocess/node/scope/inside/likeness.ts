// What a command sees and tells in a scope is what it sees and tells in a process group: the same commands in both.

import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeSubprocessRuntime } from '../../../../../src/subprocess/node/node-runtime.js'
import type { RangeKind, SubprocessSpawnSpec } from '../../../../../src/subprocess/types.js'
import { finished } from '../../../behaviour/observe.js'
import { bash, specOf } from '../../../specs.js'

/** Everything that a shell, a manager or env(1) could take for something of theirs. */
const words = [
  ...[
    '',
    ' a  b ',
    '$HOME ${PATH} $$ $(id) `id`',
    '100% %h %n %%',
    '*',
    '"\'`',
    "it's ''",
    '-n',
    '--',
    'A=b',
    '\\',
    '\\n'
  ],
  ...['two\nlines\n', '\t\r\x01\x02\x7f\x1b', 'ü😀', 'ÁÂƁƈ\u0081\u0088\u0098', 'x'.repeat(100_000)]
]

const variables = {
  ...Object.fromEntries(words.map((word, index) => [`WORD_${index}`, word])),
  ...{
    'with-dash': '1',
    'with.dot': '2',
    'BASH_FUNC_f%%': '() { :; }',
    '-n': '3',
    'a b': '4',
    PWD: '/lies',
    _: 'mine'
  },
  ...{ LC_ALL: undefined, IFS: 'x', ENV: '/nonexistent', XDG_RUNTIME_DIR: undefined }
}

function commands(folder: string): Record<string, SubprocessSpawnSpec> {
  const file = (name: string, text: string, mode: number): string => {
    fs.writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const odd = join(folder, "odd $HOME %h 'folder'\n")
  fs.mkdirSync(odd)
  file('only-here', '#!/bin/sh\necho "$0 found"\n', 0o755)
  const status = 'exec grep -E "^(Sig(Blk|Ign)|NSpgid|NSsid|Umask|NoNewPrivs|Cap...)" /proc/self/status'
  return {
    argv: specOf(['bash', '-c', 'printf "%s\\0" "$0" "$@"', ...words]),
    environment: specOf(['env', '-0'], { env: variables }),
    folder: bash('pwd -P', { cwd: odd }),
    path: specOf(['only-here'], { env: { PATH: `/nonexistent:${folder}:/usr/bin:/bin` } }),
    'relative path': specOf(['./only-here'], { cwd: folder }),
    'name like a variable': specOf([file('a=b', '#!/bin/sh\necho "$0 $1"\n', 0o755), 'c=d']),
    'no first line': specOf([file('bare', 'echo "bare $1"\n', 0o755), 'x']),
    descriptors: bash('ls /proc/self/fd'),
    signals: bash(`${status.replace('NSpgid|NSsid|', '')}`),
    leader: bash('read -r p _ _ _ g s _ </proc/self/stat; [ $p = $$ ] && [ $g = $p ] && [ $s = $p ] && echo leads'),
    limits: bash('ulimit -a'),
    input: specOf(['cat'], { stdio: { stdin: { data: 'given $HOME %h\n' } } }),
    'large input': specOf(['wc', '-c'], { stdio: { stdin: { data: 'x'.repeat(3_000_000) } } }),
    'exit 0': bash('exit 0'),
    'exit 1': bash('exit 1'),
    'exit 126': bash('exit 126'),
    'exit 127': bash('exit 127'),
    'exit 143': bash('exit 143'),
    KILL: bash('kill -KILL $$'),
    TERM: bash('kill -TERM $$'),
    'missing program': specOf(['no-such-program']),
    'missing file': specOf(['/no/such/program']),
    'no executable': specOf([file('data', 'text', 0o644)]),
    'a folder': specOf(['/tmp']),
    'missing interpreter': specOf([file('script', '#!/no/such/interpreter -x\n', 0o755)]),
    'missing folder': specOf(['true'], { cwd: join(folder, 'missing') }),
    'a file as folder': specOf(['true'], { cwd: '/etc/passwd' }),
    'long argument': specOf(['true', 'x'.repeat(140_000)]),
    'many arguments': specOf(['true', ...Array.from({ length: 30 }, () => 'x'.repeat(100_000))])
  }
}

async function seen(kind: RangeKind, specs: Record<string, SubprocessSpawnSpec>): Promise<Record<string, unknown>> {
  const runtime = new NodeSubprocessRuntime({ ranges: [kind] })
  const facts: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(specs)) {
    const handle = runtime.spawn(spec)
    const told = finished(handle).catch(({ message, code, errno, syscall, path, stage }) => ({
      ...{ message, code, errno, syscall, path, stage, pid: handle.pid }
    }))
    facts[name] = { ...(await told), range: handle.facts.range === kind, empty: await handle.waitForExit() }
  }
  await runtime.dispose()
  return facts
}

/** Names of commands that were not the same, with both sides; and how many there were. */
export async function likeness(): Promise<object> {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'scope-likeness-')))
  try {
    const specs = commands(folder)
    const [group, scope] = [await seen('group', specs), await seen('scope', specs)]
    const unlike = Object.keys(specs).filter((name) => JSON.stringify(group[name]) !== JSON.stringify(scope[name]))
    return {
      unlike: Object.fromEntries(unlike.map((name) => [name, { group: group[name], scope: scope[name] }])),
      failures: Object.keys(specs).filter((name) => JSON.stringify(group[name]).includes('"stage"'))
    }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
