// Every public method of the sandbox with every wrong kind of value: an error that names it.

import { afterAll, describe, expect, it } from 'vitest'
import * as api from '../../src/index.js'
import { errorOf, expectEachRefused } from './documented-error.js'
import { refusal, turning, withThrowingField } from './wrong-values.js'

type Call = (value: never) => unknown
type Row = readonly [name: string, option: RegExp, call: Call, ...belonging: string[]]

const subprocess = new api.NodeSubprocessRuntime()
afterAll(() => subprocess.dispose())
const policy: api.SandboxExecutionPolicy = { mode: 'read-only', workspaceRoot: '/' }
const sandbox = new api.LocalSandboxProvider({ subprocess })
const service = new api.SandboxPolicyService()
const shell = new api.SandboxBashExecutor({ subprocess, sandbox, policy })
const session: api.SandboxSession = { id: 's', sandboxModes: [], append: () => undefined }
const wish: api.EscalationRequest = { policy, mode: 'workspace-write', justification: 'x', agent: 'a' }

const resolveWith =
  (name: string): Call =>
  (value) =>
    shell.resolve({ command: 'true', sandboxPolicy: { ...policy, [name]: value } } as never)
const serviceWith =
  (name: string): Call =>
  (value) =>
    new api.SandboxPolicyService({ [name]: value } as never)
const providerWith =
  (name: string): Call =>
  (value) =>
    new api.LocalSandboxProvider({ subprocess, [name]: value } as never)
const contextWith =
  (name: string): Call =>
  (value) =>
    api.createContext({ sandbox: { [name]: value } } as never).then((made) => made.dispose())
const sessionWith =
  (name: string): Call =>
  (value) =>
    service.policyFor({ ...session, [name]: value } as never)

const empty = ['an empty object', 'an object with nothing above it', 'a Date']
const nameless = ['undefined', 'an empty list']

const rows: readonly Row[] = [
  ['createContext sandbox', /sandbox/, (value) => api.createContext({ sandbox: value }), 'undefined', ...empty],
  ['createContext sandbox.mode', /sandbox\.mode/, contextWith('mode'), 'undefined'],
  [
    'createContext sandbox.workspaceRoot',
    /sandbox\.workspaceRoot/,
    contextWith('workspaceRoot'),
    'undefined',
    'a text'
  ],
  ['createContext sandbox.backends', /sandbox\.backends/, contextWith('backends'), 'undefined'],
  [
    'createContext sandbox.probeTimeoutMs',
    /sandbox\.probeTimeoutMs/,
    contextWith('probeTimeoutMs'),
    ...['undefined', 'a number', 'a fraction']
  ],
  ['createContext sandbox.runnerCommand', /sandbox\.runner/, contextWith('runnerCommand'), ...nameless],
  ['createContext sandbox.writableRoots', /sandbox\.writableRoots/, contextWith('writableRoots'), ...nameless],
  ['createContext sandbox.hiddenPaths', /sandbox\.hiddenPaths/, contextWith('hiddenPaths'), ...nameless],
  ['createContext sandbox.network', /sandbox\.network/, contextWith('network'), 'undefined'],
  [
    'new SandboxPolicyService',
    /options|0|toString/,
    (value) => new api.SandboxPolicyService(value),
    'undefined',
    ...empty
  ],
  ['new SandboxPolicyService mode', /mode/, serviceWith('mode'), 'undefined'],
  ['new SandboxPolicyService workspaceRoot', /workspaceRoot/, serviceWith('workspaceRoot'), 'undefined', 'a text'],
  ['new SandboxPolicyService writableRoots', /writableRoots/, serviceWith('writableRoots'), ...nameless],
  ['new SandboxPolicyService hiddenPaths', /hiddenPaths/, serviceWith('hiddenPaths'), ...nameless],
  ['new SandboxPolicyService network', /network/, serviceWith('network'), 'undefined'],
  ['policyFor', /session/, (value) => service.policyFor(value), 'undefined'],
  ['policyFor session.id', /session\.id/, sessionWith('id'), 'a text', 'an empty text'],
  ['policyFor session.cwd', /session\.cwd/, sessionWith('cwd'), 'undefined', 'a text'],
  ['policyFor session.sandboxModes', /session\.sandboxModes/, sessionWith('sandboxModes'), 'an empty list'],
  ['policyFor approvedMode', /approvedMode/, (value) => service.policyFor(undefined, value), 'undefined'],
  ['modeOf', /session/, (value) => service.modeOf(value), 'undefined'],
  ['setSandboxMode session', /session/, (value) => service.setSandboxMode(value, 'read-only')],
  ['setSandboxMode mode', /mode/, (value) => service.setSandboxMode(session, value)],
  ['new LocalSandboxProvider', /options|subprocess|toString/, (value) => new api.LocalSandboxProvider(value)],
  ['new LocalSandboxProvider subprocess', /subprocess/, providerWith('subprocess')],
  ['new LocalSandboxProvider backends', /backends/, providerWith('backends'), 'undefined'],
  [
    'new LocalSandboxProvider probeTimeoutMs',
    /probeTimeoutMs/,
    providerWith('probeTimeoutMs'),
    ...['undefined', 'a number', 'a fraction']
  ],
  ['new LocalSandboxProvider runnerCommand', /runner/, providerWith('runnerCommand'), 'null', ...nameless],
  [
    'new LocalSandboxProvider runnerFailureSignatures',
    /runnerFailureSignatures/,
    providerWith('runnerFailureSignatures'),
    ...['null', ...nameless]
  ],
  ['confine argv', /argv/, (value) => sandbox.confine(value, policy), 'a list'],
  ['confine policy', /policy/, (value) => sandbox.confine(['true'], value)],
  ['confine signal', /signal/, (value) => sandbox.confine(['true'], policy, value), 'undefined'],
  ['inspect', /policy/, (value) => sandbox.inspect(value)],
  ['new SandboxBashExecutor', /options|sandbox|toString/, (value) => new api.SandboxBashExecutor(value)],
  [
    'new SandboxBashExecutor policy',
    /policy/,
    (value) => new api.SandboxBashExecutor({ subprocess, sandbox, policy: value }),
    'a function'
  ],
  [
    'resolve sandboxPolicy',
    /sandboxPolicy/,
    (value) => shell.resolve({ command: 'true', sandboxPolicy: value }),
    'undefined'
  ],
  ['resolve sandboxPolicy.mode', /sandboxPolicy\.mode/, resolveWith('mode')],
  ['resolve sandboxPolicy.workspaceRoot', /sandboxPolicy\.workspaceRoot/, resolveWith('workspaceRoot')],
  [
    'resolve sandboxPolicy.sessionId',
    /sandboxPolicy\.sessionId/,
    resolveWith('sessionId'),
    'undefined',
    'a text',
    'an empty text'
  ],
  ['resolve sandboxPolicy.writableRoots', /sandboxPolicy\.writableRoots/, resolveWith('writableRoots'), ...nameless],
  ['resolve sandboxPolicy.hiddenPaths', /sandboxPolicy\.hiddenPaths/, resolveWith('hiddenPaths'), ...nameless],
  ['resolve sandboxPolicy.network', /sandboxPolicy\.network/, resolveWith('network'), 'undefined'],
  ['canonicalPath', /path/, (value) => api.canonicalPath(value), 'a text', 'an empty text'],
  ['writableRoots', /policy/, (value) => api.writableRoots(value)],
  ['approveEscalation', /request/, (value) => api.approveEscalation(value), ...empty],
  ['approveEscalation signal', /request\.signal/, (signal) => api.approveEscalation({ ...wish, signal }), 'undefined'],
  [
    'approveEscalation approver',
    /request\.approver/,
    (approver) => api.approveEscalation({ ...wish, approver }),
    'undefined'
  ],
  [
    'approveEscalation policy',
    /request\.policy/,
    (value) => api.approveEscalation({ ...wish, policy: value }),
    'undefined'
  ]
]

describe('a wrong value', () => {
  it.each(rows.map(([name]) => name))('in %s is an error that names it', async (name) => {
    const [, option, call, ...belonging] = rows.find((row) => row[0] === name) as Row
    await expectEachRefused(name, option, belonging, call)
  })

  it('from a getter that throws is that error', async () => {
    const full = { ...policy, sessionId: 's', writableRoots: [], hiddenPaths: [], network: 'host' } as const
    const calls: [object, Call][] = [
      [full, (value) => sandbox.confine(['true'], value)],
      [full, (value) => shell.resolve({ command: 'true', sandboxPolicy: value })],
      [{ ...session, cwd: '/' }, (value) => service.policyFor(value)],
      [{ mode: 'read-only', workspaceRoot: '/' }, (value) => new api.SandboxPolicyService(value)],
      [{ subprocess, backends: ['bwrap'] }, (value) => new api.LocalSandboxProvider(value)],
      [wish, (value) => api.approveEscalation(value)]
    ]
    for (const [valid, call] of calls) {
      for (const name of Object.keys(valid).filter((key) => key !== 'append')) {
        expect(await errorOf(() => call(withThrowingField(valid, name) as never)), name).toBe(refusal)
      }
    }
  })

  it('that comes at the second look is never seen', () => {
    for (const [name, then] of [
      ['mode', 'danger-full-access'],
      ['workspaceRoot', 'x'],
      ['writableRoots', 5]
    ] as const) {
      const valid = { ...policy, writableRoots: ['/a'] }
      const { sandboxPolicy } = shell.resolve({ command: 'true', sandboxPolicy: turning(valid, name, then) as never })
      expect(sandboxPolicy, name).toEqual(valid)
    }
    const modes = turning({ ...session, sandboxModes: ['read-only'] }, 'sandboxModes', ['danger-full-access'])
    expect(service.policyFor(modes as never).mode).toBe('read-only')
  })
})
