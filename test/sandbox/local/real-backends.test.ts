import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { createContext } from '../../../src/context/create-context.js'
import type { SandboxOptions } from '../../../src/context/options.js'
import type { ShellRunResult } from '../../../src/shell/types.js'
import { script, usePlaces } from '../../fixtures/sandbox/places.js'
import { needing, type RealBackend, realBackends } from '../../fixtures/sandbox/real-backends.js'

const { workspace, outside } = usePlaces()
const kept = join(outside, 'kept')
writeFileSync(kept, 'as it was')
const secrets = join(outside, 'secrets')
mkdirSync(secrets)
writeFileSync(join(secrets, 'key'), 'TOPSECRET')
writeFileSync(join(outside, 'token'), 'TOPSECRET')
mkdirSync(join(workspace, 'inner'))
symlinkSync(workspace, join(outside, 'link'))

async function run(
  backend: RealBackend,
  sandbox: SandboxOptions,
  command: string,
  env: Readonly<Record<string, string>> = {}
): Promise<ShellRunResult> {
  await using context = await createContext({
    cwd: workspace,
    shell: { graceMs: 500 },
    sandbox: { backends: [backend], ...sandbox },
    onWarning: () => undefined
  })
  return await context.shell.run({ command, env: { OUTSIDE: outside, ...env } })
}

const dialect: Readonly<Record<RealBackend, RegExp>> = {
  native: /Read-only file system/,
  bwrap: /Read-only file system/,
  landlock: /Permission denied/
}

describe.each(realBackends)('%s', (backend) => {
  const test = needing(backend)
  const enforcement = backend === 'landlock' ? 'partial' : 'full'

  test('lets a command read and run, and not write, in read-only mode', async () => {
    const command = 'cat "$OUTSIDE/kept"; echo x > "$OUTSIDE/kept"; echo x > here; echo "rc=$?"; exit 3'
    const result = await run(backend, {}, command)
    expect(result).toMatchObject({ exitCode: 3, stdout: { text: 'as it wasrc=1\n' } })
    expect(result.stderr.text).toMatch(dialect[backend])
    expect(result.sandbox).toMatchObject({ mode: 'read-only', backend, enforcement, denied: true })
    expect(readFileSync(kept, 'utf8')).toBe('as it was')
  })

  test('lets it write to the workspace, to temporary files and nowhere else in workspace-write', async () => {
    const command = 'echo new > made && f=$(mktemp) && echo hi > "$f" && cat made "$f"; echo x > "$OUTSIDE/kept"'
    const result = await run(backend, { mode: 'workspace-write' }, command)
    expect(result).toMatchObject({ exitCode: 1, stdout: { text: 'new\nhi\n' }, sandbox: { denied: true } })
    expect([readFileSync(join(workspace, 'made'), 'utf8'), readFileSync(kept, 'utf8')]).toEqual(['new\n', 'as it was'])
  })

  test('lets it write to more roots if the policy names them', async () => {
    const more = join(outside, `more-${backend}`)
    mkdirSync(more)
    const result = await run(backend, { mode: 'workspace-write', writableRoots: [more] }, `echo x > ${more}/made`)
    expect(result).toMatchObject({ exitCode: 0, sandbox: { denied: false } })
    expect(readFileSync(join(more, 'made'), 'utf8')).toBe('x\n')
  })

  test('takes a workspace that is named through a symbolic link', async () => {
    const sandbox = { mode: 'workspace-write', workspaceRoot: join(outside, 'link') } as const
    expect(await run(backend, sandbox, 'echo x > inner/by-link')).toMatchObject({ exitCode: 0 })
  })

  test('lets the start-up files of the shell run in the confinement alone', async () => {
    const startUp = script(workspace, `start-up-${backend}`, 'echo started; echo x > "$OUTSIDE/kept"')
    const result = await run(backend, {}, 'echo ran', { BASH_ENV: startUp })
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'started\nran\n' } })
    expect(readFileSync(kept, 'utf8')).toBe('as it was')
  })

  test('passes a command text on that is too long for one argument', async () => {
    const result = await run(backend, {}, `echo ${'x'.repeat(150_000)} | wc -c`)
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: '150001\n' } })
  })

  test('gives the exit status of the command, whatever the runner uses it for', async () => {
    for (const code of [1, 125, 126, 127]) {
      expect(await run(backend, {}, `exit ${code}`)).toMatchObject({ exitCode: code, sandbox: { denied: false } })
    }
  })
})

describe.each(['native', 'bwrap'] as const)('%s', (backend) => {
  const test = needing(backend)

  test('hides files and folders', async () => {
    const command = 'cat "$OUTSIDE/token" "$OUTSIDE/secrets/key" 2>&1; ls -A "$OUTSIDE/secrets"; echo end'
    const hiddenPaths = [join(outside, 'token'), secrets, join(outside, 'no-such')]
    const result = await run(backend, { hiddenPaths }, command)
    expect(result.stdout.text).not.toContain('TOPSECRET')
    expect(result.stdout.text).toMatch(/end\n$/)
    expect(result.stdout.text).not.toMatch(/^key$/m)
  })

  test('takes the network away, down to a loopback of its own', async () => {
    const { stdout } = await run(backend, { network: 'none' }, 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "')
    expect(stdout.text).toBe('lo\n')
  })
})

describe('landlock', () => {
  const test = needing('landlock')

  test('refuses what it cannot do, and the command does not run', async () => {
    for (const sandbox of [{ hiddenPaths: [secrets] }, { network: 'none' } as const]) {
      await expect(run('landlock', sandbox, 'true')).rejects.toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        attempts: [{ backend: 'landlock', reason: expect.stringMatching(/^Landlock alone cannot/) }]
      })
    }
  })

  test('says what it does not govern', async () => {
    const { sandbox } = await run('landlock', {}, 'true')
    expect(sandbox?.notGoverned?.length).toBeGreaterThan(0)
  })
})

describe('bwrap', () => {
  const test = needing('bwrap')

  test('leaves the command no capability, no way to one, and a process id space of its own', async () => {
    const command = 'grep -E "^(CapPrm|CapEff|NoNewPrivs)" /proc/self/status; ls -d /proc/[0-9]* | wc -l'
    const { stdout } = await run('bwrap', {}, command)
    const zero = '0'.repeat(16)
    const words = stdout.text.trim().split(/\s+/)
    expect(words.slice(0, 6)).toEqual(['CapPrm:', zero, 'CapEff:', zero, 'NoNewPrivs:', '1'])
    expect(Number(words[6])).toBeLessThan(10)
  })

  test('keeps the settings of the machine out of reach', async () => {
    const { stdout } = await run('bwrap', {}, 'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness; echo "rc=$?"')
    expect(stdout.text).toBe('rc=1\n')
  })
})
