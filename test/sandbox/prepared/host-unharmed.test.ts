// A child that enters a confinement has the memory of its host until its execve. Nothing of what it does there may reach the
// host: under load, with commands that fail halfway, as root and as an ordinary user.

import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { cCompiler, loading } from '../../lifecycle/host-libraries.js'
import { feature } from '../../setup/features.js'
import { makeFolder, runner, test } from './confined.js'
import { inPreparedHost, type PreparedHost } from './hosts.js'

let folder: string

beforeAll(() => {
  folder = makeFolder('host')
  chmodSync(folder, 0o777)
})

afterAll(() => rmSync(folder, { recursive: true }))

const ordinaryUser = 4242

const asUser = feature(`becoming user ${ordinaryUser}`, () => {
  cCompiler()
  const become = [`--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, '--clear-groups']
  execFileSync('setpriv', [...become, process.execPath, '-e', ''], { stdio: 'pipe' })
  execFileSync('setpriv', [...become, runner(), 'confine', '--probe'], { stdio: 'pipe' })
  return true
})

const commandCount = 300

/** Each is the state of one thread, whole; usually there is one for all threads. */
const states = `
  const states = () => {
    const told = /^(?:Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp|SigIgn|SigCgt|CoreDumping)/
    const seen = fs.readdirSync('/proc/self/task').map((id) => {
      const at = '/proc/self/task/' + id
      const status = fs.readFileSync(at + '/status', 'latin1').split('\\n').filter((line) => told.test(line))
      const links = ['user', 'mnt', 'net', 'ipc', 'pid', 'uts', 'cgroup'].map((kind) => fs.readlinkSync(at + '/ns/' + kind))
      const owned = ['environ', 'maps', 'mem', 'io', 'auxv', 'fd'].map((name) => name + fs.statSync(at + '/' + name).uid)
      return [...status, ...links, ...owned, fs.readlinkSync(at + '/root'), fs.readlinkSync(at + '/cwd')].join('\\n')
    })
    for (const name of ['environ', 'maps', 'mem', 'io', 'auxv']) fs.closeSync(fs.openSync('/proc/self/' + name, 'r'))
    return [...new Set(seen)]
  }
`

const load = (place: string): string => `
  ${states}
  const workspace = fs.mkdtempSync(${JSON.stringify(`${place}/`)})
  const policies = [['--rw', workspace], [], ['--rw', workspace, '--network', 'none']]
  const missing = (options) => {
    const { argv, ...spec } = confined('', options)
    const prefix = argv.slice(0, -3)
    return { ...spec, argv: [...prefix, '/does/not/exist'], confinement: prepareConfinement(prefix, ['/does/not/exist']) }
  }
  const counts = {}
  const one = async (index) => {
    const options = policies[index % 3]
    const { exitCode, stage } = await run(index % 10 === 9 ? missing(options) : confined(': $((1 + 1))', options))
    const end = stage ?? 'exit ' + exitCode
    counts[end] = (counts[end] ?? 0) + 1
  }
  for (let index = 0; index < 12; index += 1) await one(index * 10)
  const before = states()
  let next = 0
  const lane = async () => { while (next < ${commandCount}) await one(next++) }
  const wrong = []
  const timer = setInterval(() => {
    const file = workspace + '/../outside-' + process.pid
    try {
      fs.writeFileSync(file, 'x'); fs.chmodSync(file, 0o640); fs.unlinkSync(file)
    } catch (error) { wrong.push(error.message) }
  }, 5)
  await Promise.all(Array.from({ length: 8 }, lane))
  clearInterval(timer)
  const after = states()
  const environ = execFileSync('head', ['-c', '1', '/proc/' + process.pid + '/environ']).length
  tell({ counts, wrong, environ, same: JSON.stringify(before) === JSON.stringify(after) || { before, after } })
`

async function loaded(host: PreparedHost): Promise<unknown> {
  return inPreparedHost(`${loading('watches-itself')}\n${load(folder)}`, host)
}

const unharmed = {
  told: {
    counts: { 'exit 0': 12 + commandCount - commandCount / 10, exec: commandCount / 10 },
    wrong: [],
    environ: 1,
    same: true
  },
  stderr: 'dumpable 1, looked often, wrong 0\n'
}

describe('a host', () => {
  test('is after hundreds of confined commands what it was before them', async () => {
    expect(await loaded({})).toEqual(unharmed)
  })

  asUser('of an ordinary user is so too', async () => {
    expect(await loaded({ user: ordinaryUser })).toEqual(unharmed)
  })
})
