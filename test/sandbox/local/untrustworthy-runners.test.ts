// Runners that are missing, fail, are slow or lie: whatever they do, the command never runs unconfined.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createContext } from '../../../src/context/create-context.js'
import type { SandboxOptions } from '../../../src/context/options.js'
import { script, usePlaces } from '../../fixtures/sandbox/places.js'
import { needing } from '../../fixtures/sandbox/real-backends.js'
import { survivorsOf } from '../../fixtures/shell/live-processes.js'

const runner = vi.hoisted(() => ({ path: null as string | null }))
vi.mock('../../../src/native/runner-path.js', () => ({
  runnerPath: () => runner.path,
  irreplaceableRunnerPath: () => null
}))

const { workspace, outside } = usePlaces()
// Neither in the workspace nor in a temporary folder, where a runner would be warned of.
const programs = mkdtempSync('/var/tmp/sandbox-programs-')
afterAll(() => rmSync(programs, { recursive: true, force: true }))

/** Runs everything behind the dashes, unconfined. */
const unconfined = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

interface Fake {
  readonly what: string
  readonly text: string | null
  readonly reason: RegExp
}

const fakes: readonly Fake[] = [
  { what: 'missing', text: null, reason: /no program|cannot execute|no such file|there is no/i },
  {
    what: 'failing',
    text: 'echo "the-runner: namespaces: Operation not permitted" >&2; exit 125',
    reason: /the-runner: namespaces: Operation not permitted \(exit code 125\)/
  },
  { what: 'silent', text: 'exit 3', reason: /^exit code 3$/ },
  { what: 'slow', text: 'exec sleep 60', reason: /no answer within 300 ms \(probeTimeoutMs\)/ },
  { what: 'slow only with a command', text: `${'probe'}; exec sleep 60`, reason: /no answer within 300 ms/ },
  {
    what: 'lying',
    text: `probe; ${unconfined}`,
    reason: /it does not confine: a file in .* was written to|files were made/
  },
  { what: 'swallowing the command', text: 'probe; exit 0', reason: /it did not run the command|exit code 0/ },
  { what: 'killed', text: 'kill -KILL $$', reason: /a signal ended it/ }
]

/** What the package's own runner says when it is asked. */
const claim = 'case " $* " in *" --probe "*) echo "quiesce-runner: full"; exit 0;; esac'

function program(name: string, { what, text }: Fake): string {
  const folder = join(programs, what.replaceAll(' ', '-'))
  return text === null ? join(folder, 'no-such', name) : script(folder, name, text.replace('probe', claim))
}

const kinds: Readonly<Record<string, (fake: Fake) => SandboxOptions>> = {
  native: (fake) => {
    runner.path = program('quiesce-runner', fake)
    return { backends: ['native'] }
  },
  landlock: (fake) => {
    runner.path = program('quiesce-runner', fake)
    return { backends: ['landlock'] }
  },
  bwrap: (fake) => {
    vi.stubEnv('PATH', fake.text === null ? '/usr/sbin' : `${join(program('bwrap', fake), '..')}:/usr/bin:/bin`)
    return { backends: ['bwrap'] }
  },
  'runner-command': (fake) => ({
    runnerCommand: [program('own-runner', fake)],
    runnerFailureSignatures: ['own-runner: ']
  })
}

const traps = (): string[] =>
  [tmpdir(), '/var/tmp'].flatMap((place) =>
    readdirSync(place).filter((name) => name.includes(`-${process.pid}-probe-`))
  )

beforeEach(() => {
  vi.unstubAllEnvs()
  return () => vi.unstubAllEnvs()
})

describe.each(Object.keys(kinds))('as %s', (kind) => {
  describe.each(['read-only', 'workspace-write'] as const)('in %s mode', (mode) => {
    it.each(fakes)('a runner that is $what is not used, and nothing runs', async (fake) => {
      const marker = `${kind}-${mode}-${fake.what.replaceAll(' ', '-')}`
      const ran = join(outside, marker)
      const options = kinds[kind]?.(fake)
      await using context = await createContext({
        cwd: workspace,
        sandbox: { mode, probeTimeoutMs: fake.what.startsWith('slow') ? 300 : 10_000, ...options },
        shell: { graceMs: 200 },
        onWarning: () => undefined
      })
      const refusal = await context.shell
        .run({ command: `touch ${ran}`, env: { RUNNER_MARKER: marker, PATH: '/usr/bin:/bin' } })
        .catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        name: 'SandboxUnavailableError',
        code: 'SANDBOX_UNAVAILABLE',
        mode,
        attempts: [{ backend: kind, reason: expect.stringMatching(fake.reason) }],
        message: expect.stringContaining('the command was not run unconfined')
      })
      await context.dispose()
      expect({ ran: existsSync(ran), traps: traps(), left: survivorsOf(`RUNNER_MARKER=${marker}`) }).toEqual({
        ran: false,
        traps: [],
        left: []
      })
    })
  })
})

describe('a runner that confines writing and lies about the rest', () => {
  const test = needing('bwrap')
  const readOnly =
    'while [ "$1" != -- ]; do shift; done; shift; exec bwrap --ro-bind / / --dev /dev --proc /proc -- "$@"'
  const liar = script(programs, 'half-a-runner', readOnly)

  const refusalOf = async (sandbox: SandboxOptions): Promise<unknown> => {
    const own = { runnerCommand: [liar], runnerFailureSignatures: ['bwrap: '] }
    await using context = await createContext({ cwd: workspace, sandbox: { ...own, ...sandbox } })
    return await context.shell.run({ command: 'true' }).then(
      ({ exitCode }) => exitCode,
      (error: { attempts: { reason: string }[] }) => error.attempts.map(({ reason }) => reason)
    )
  }

  test('is used where the rest is not asked for', async () => {
    expect(await refusalOf({})).toBe(0)
  })

  test('is not used for hidden paths', async () => {
    expect(await refusalOf({ hiddenPaths: [outside] })).toEqual(['it does not confine: it could read a hidden file'])
  })

  test('is not used for network none', async () => {
    expect(await refusalOf({ network: 'none' })).toEqual(['it does not take the network away'])
  })

  test('is not used where the workspace could not be written to', async () => {
    const reasons = await refusalOf({ mode: 'workspace-write' })
    expect(reasons).toEqual(['the workspace cannot be written to under it'])
  })
})

describe('a runner that fails after it was chosen', () => {
  const test = needing('bwrap')

  test('rejects the result with its line, and the command did not run', async () => {
    const switchFile = join(outside, 'fails-now')
    const text = `[ -e ${switchFile} ] && { echo "own-runner: no more" >&2; exit 1; }; exec bwrap "$@"`
    const own = { runnerCommand: [script(programs, 'own-runner', text)], runnerFailureSignatures: ['own-runner: '] }
    await using context = await createContext({ cwd: workspace, sandbox: own })
    expect(await context.shell.run({ command: `touch ${switchFile}; echo ok` })).toMatchObject({
      stdout: { text: 'ok\n' },
      sandbox: { backend: 'runner-command', enforcement: 'full', denied: false }
    })
    script(outside, 'fails-now', '')
    await expect(context.shell.run({ command: 'true' })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      runnerFailure: 'own-runner: no more'
    })
  })

  test('is blamed where it has gone', async () => {
    const folder = join(programs, 'going')
    const path = script(folder, 'own-runner', 'exec bwrap "$@"')
    const own = { runnerCommand: [path], runnerFailureSignatures: ['bwrap: '] }
    await using context = await createContext({ cwd: workspace, sandbox: own })
    expect(await context.shell.run({ command: 'true' })).toMatchObject({ exitCode: 0 })
    rmSync(folder, { recursive: true })
    const execution = await context.shell.execute(context.shell.resolve({ command: 'true' }))
    await expect(execution.result()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE', cause: { code: 'ENOENT' } })
    expect(execution.sandbox).toMatchObject({ denied: false, runnerFailed: true })
  })
})
