// The built package in other programs than the Node that runs these tests: what a stranger has, from import to exit.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect } from 'vitest'
import { feature } from '../setup/features.js'
import { root } from '../setup/source-imports.js'
import { clean, nothing, runTraced } from './traced.js'

const hosts = [
  ['node-22', 'bin/node', 'v22.'],
  ['node-24', 'bin/node', 'v24.'],
  ['bun', 'bin/bun', '1.']
] as const

const dist = join(root, 'dist/index.js')
const url = pathToFileURL(dist).href

let installed: string | true | undefined

/** Their download may take its time. */
function install(): string | true {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.tools/hosts.mjs')], {
    encoding: 'utf8',
    timeout: 300_000
  })
  const reason = `${stdout}${stderr}`.trim().split('\n').at(-1)
  return status === 0 ? true : `test/hosts cannot be installed: ${reason || 'npm took too long'}`
}

function probe(program: string, version: string): string | true {
  if (!existsSync(dist)) return 'dist is not built: npm run build'
  installed ??= install()
  if (installed !== true) return installed
  const { stdout, error } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 60_000 })
  if (error !== undefined) return error.message
  return stdout.startsWith(version) || `${program} is ${stdout.trim()}`
}

for (const [name, path, version] of hosts) {
  const program = join(root, 'test/hosts/node_modules', name, path)
  const onHost = feature(name, () => probe(program, version))
  const host = name === 'bun' ? { url, program, evaluate: ['-e'] } : { url, program }

  describe(`the built package in ${name}`, () => {
    onHost('runs commands on the native core, ends what is aborted, and lets its host end by itself', async () => {
      const body = `
        const ctx = await createContext(options)
        console.log(ctx.subprocess.constructor.name === (await import('${url}')).NativeSubprocessRuntime.name)
        const { exitCode, stdout, stderr } = await ctx.shell.run({ command: 'cat; echo err >&2; exit 7', stdin: 'in' })
        console.log(exitCode, stdout.text, stderr.text.trim())
        const controller = new AbortController()
        const { signal } = controller
        const execution = await saying(await start(ctx, 'echo up; exec sleep ' + marker, { signal }))
        controller.abort()
        const result = await execution.result()
        console.log(result.aborted, result.signal, result.quiescent)
        const late = await ctx.shell.run({ command: 'sleep ' + marker, timeoutMs: 50 })
        console.log(late.timedOut, late.signal)
        const spilled = await ctx.shell.run({ command: 'seq 1 1000', stdoutMaxBytes: 100 })
        console.log(spilled.stdout.truncated, spilled.stdout.spillPath !== undefined)
        const missing = await ctx.shell.run({ command: ':', workdir: '/no/such' }).catch((error) => error)
        console.log(missing.code, missing.stage)
        const left = await stubborn(ctx)
        await ctx.dispose()
        console.log((await left.result()).signal)`
      const expected = ['true', '7 in err', 'true SIGTERM true', 'true SIGTERM', 'true true', 'ENOENT chdir', 'SIGKILL']
      expect(await runTraced('native', body, host)).toEqual(clean(`${expected.join('\n')}\n`))
    })

    onHost('leaves nothing of its commands when the host exits in their midst', async () => {
      const body = `
        const ctx = await createContext(options)
        await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx)])
        process.exit(23)`
      const { end, left } = await runTraced('native', body, host)
      expect({ end, left }).toEqual({ end: { code: 23, signal: null, stdout: '', stderr: '' }, left: nothing })
    })
  })
}

const bun = join(root, 'test/hosts/node_modules/bun/bin/bun')
describe('the built package in bun', () => {
  feature('bun', () => probe(bun, '1.'))('refuses raw streams and the fallback, which cannot work there', async () => {
    const body = `
      const ctx = await createContext(options)
      const stdio = { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' }
      const handle = ctx.subprocess.spawn({ argv: ['sleep', marker], cwd: '/', graceMs: 500, stdio })
      const error = await handle.done.catch((error) => error)
      console.log(handle.pid, error.stage, error.message)
      await ctx.dispose()
      console.log((await createContext({ subprocess: { provider: 'node' } }).catch((error) => error)).message)`
    const { end, left } = await runTraced('native', body, { url, program: bun, evaluate: ['-e'] })
    expect({ code: end.code, lines: end.stdout.trim().split('\n'), left }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^-1 stdio cannot prepare the standard streams: .*\(E(?:OPNOT|NOT)SUP\)$/),
        'the fallback of quiesce needs Node: on Bun only the native core runs commands'
      ],
      left: nothing
    })
  })
})
