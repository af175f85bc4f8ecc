import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SandboxPolicyService } from '../../src/sandbox/policy-service.js'
import type { SandboxModeEvent, SandboxSession } from '../../src/sandbox/session.js'
import type { SandboxMode } from '../../src/sandbox/types.js'
import { usePlaces } from '../fixtures/sandbox/places.js'

const { workspace, outside } = usePlaces()

class RecordedSession implements SandboxSession {
  readonly id = 's1'
  readonly cwd: string | undefined
  readonly events: SandboxModeEvent[] = []

  constructor(cwd?: string, ...modes: readonly SandboxMode[]) {
    this.cwd = cwd
    for (const mode of modes) this.append({ type: 'sandbox/mode', mode })
  }

  get sandboxModes(): SandboxMode[] {
    return this.events.map(({ mode }) => mode)
  }

  append(event: SandboxModeEvent): void {
    this.events.push(event)
  }
}

describe('the mode', () => {
  it('is the approved one, else the last one of the session, else the default', () => {
    const service = new SandboxPolicyService({ mode: 'workspace-write' })
    const modeWith = (...args: Parameters<typeof service.policyFor>): SandboxMode => service.policyFor(...args).mode
    const session = new RecordedSession(undefined, 'danger-full-access', 'read-only')
    expect([
      modeWith(session, 'danger-full-access'),
      modeWith(undefined, 'danger-full-access'),
      modeWith(session),
      modeWith(new RecordedSession()),
      modeWith()
    ]).toEqual(['danger-full-access', 'danger-full-access', 'read-only', 'workspace-write', 'workspace-write'])
  })

  it('is read-only by default', () => {
    expect(new SandboxPolicyService().policyFor().mode).toBe('read-only')
  })

  it('that is unknown is refused: as the default, as approved, and anywhere in the record of a session', () => {
    const service = new SandboxPolicyService()
    const wrong = 'full' as SandboxMode
    expect(() => new SandboxPolicyService({ mode: wrong })).toThrow(/^mode must be 'read-only'/)
    expect(() => service.policyFor(undefined, wrong)).toThrow(/^approvedMode must be/)
    expect(() => service.policyFor(new RecordedSession(undefined, wrong, 'read-only'))).toThrow(
      /^session.sandboxModes must/
    )
  })

  it('is set by exactly one event, and holds from the next call on', async () => {
    const service = new SandboxPolicyService()
    const session = new RecordedSession()
    const before = service.policyFor(session)
    await service.setSandboxMode(session, 'workspace-write')
    expect(session.events).toEqual([{ type: 'sandbox/mode', mode: 'workspace-write' }])
    expect([before.mode, service.policyFor(session).mode]).toEqual(['read-only', 'workspace-write'])
    await expect(service.setSandboxMode(session, 'full' as SandboxMode)).rejects.toThrow(/^mode must be/)
    expect(session.events).toHaveLength(1)
  })

  it('is not recorded for one call: neither session nor default change', () => {
    const service = new SandboxPolicyService()
    const session = new RecordedSession()
    service.policyFor(session, 'danger-full-access')
    expect([session.events, service.policyFor(session).mode]).toEqual([[], 'read-only'])
  })
})

describe('the workspace', () => {
  it('is the folder of the session, else the configured one, else that of the host', () => {
    const service = new SandboxPolicyService({ workspaceRoot: workspace })
    expect([
      service.policyFor(new RecordedSession(outside)).workspaceRoot,
      service.policyFor(new RecordedSession()).workspaceRoot,
      service.policyFor().workspaceRoot,
      new SandboxPolicyService().policyFor().workspaceRoot,
      new SandboxPolicyService({ workspaceRoot: 'test' }).policyFor().workspaceRoot
    ]).toEqual([outside, workspace, workspace, process.cwd(), join(process.cwd(), 'test')])
  })

  it('has its symbolic links followed before .. is folded', () => {
    mkdirSync(join(outside, 'a/b'), { recursive: true })
    symlinkSync(join(outside, 'a/b'), join(workspace, 'link'))
    const service = new SandboxPolicyService({ workspaceRoot: `${workspace}/link/..` })
    expect(service.policyFor().workspaceRoot).toBe(join(outside, 'a'))
  })
})

describe('the policy', () => {
  it('is plain frozen data with everything in it', () => {
    const options = { writableRoots: ['/var/tmp'], hiddenPaths: ['/root/.ssh'], network: 'none' } as const
    const policy = new SandboxPolicyService({ workspaceRoot: workspace, ...options }).policyFor(new RecordedSession())
    expect(policy).toEqual({ mode: 'read-only', workspaceRoot: workspace, sessionId: 's1', ...options })
    expect(structuredClone(policy)).toEqual(policy)
    expect(Object.isFrozen(policy)).toBe(true)
  })

  it.each([
    [{ workspaceRoot: '' }, 'workspaceRoot'],
    [{ workspaceRoot: 5 }, 'workspaceRoot'],
    [{ writableRoots: ['x'] }, 'writableRoots[0]'],
    [{ hiddenPaths: 'x' }, 'hiddenPaths'],
    [{ network: 'no' }, 'network'],
    [{ root: '/' }, 'root']
  ])('refuses the option %j by its name', (options, option) => {
    expect(() => new SandboxPolicyService(options as object)).toThrow(
      expect.objectContaining({ code: 'EINVAL', option })
    )
  })

  it('refuses what is no session', () => {
    const service = new SandboxPolicyService()
    for (const session of [
      {},
      { id: 's' },
      { id: 's', sandboxModes: 'read-only' },
      { id: 's', cwd: '', sandboxModes: [] }
    ]) {
      expect(() => service.policyFor(session as never)).toThrow(expect.objectContaining({ code: 'EINVAL' }))
    }
  })
})
