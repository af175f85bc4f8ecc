import { describe, expect, it } from 'vitest'
import type { ApprovalOutcome, ApprovalRequest, SandboxApprover } from '../../src/sandbox/approver.js'
import { approveEscalation, type EscalationRequest, escalationTargets } from '../../src/sandbox/escalation.js'
import type { SandboxExecutionPolicy } from '../../src/sandbox/types.js'

const policy: SandboxExecutionPolicy = {
  mode: 'read-only',
  workspaceRoot: '/repo',
  hiddenPaths: ['/k'],
  sessionId: 's1'
}

class Approver implements SandboxApprover {
  readonly asked: ApprovalRequest[] = []

  constructor(readonly decide: () => unknown = () => 'allowed-once') {}

  async requestApproval(request: ApprovalRequest): Promise<ApprovalOutcome> {
    this.asked.push(request)
    return this.decide() as ApprovalOutcome
  }
}

const wish = { policy, mode: 'workspace-write', justification: 'to build', agent: 'a1' } as const

async function refusal(request: EscalationRequest): Promise<unknown> {
  return approveEscalation(request).then(
    (granted) => granted,
    ({ name, code, refusal, message }) => ({ name, code, refusal, message })
  )
}

const refused = (reason: string, message: string | RegExp) => ({
  name: 'EscalationError',
  code: 'ESCALATION_REFUSED',
  refusal: reason,
  message: typeof message === 'string' ? message : expect.stringMatching(message)
})

describe('a grant', () => {
  it('is the standing policy with another mode, and changes nothing that stands', async () => {
    const approver = new Approver()
    expect(await approveEscalation({ ...wish, approver })).toEqual({ ...policy, mode: 'workspace-write' })
    expect(policy.mode).toBe('read-only')
  })

  it('is asked for with mode, reason and agent', async () => {
    const approver = new Approver()
    const { signal } = new AbortController()
    await approveEscalation({ ...wish, mode: 'danger-full-access', approver, signal })
    const text = 'escalate sandbox to danger-full-access: to build'
    expect(approver.asked).toEqual([{ agent: 'a1', mode: 'danger-full-access', text, signal }])
  })

  it('is not needed where nothing is asked for, or the mode that holds anyway', async () => {
    const approver = new Approver()
    expect(await approveEscalation({ policy, approver })).toBe(policy)
    expect(await approveEscalation({ policy: undefined })).toBeUndefined()
    const own = { ...policy, mode: 'workspace-write' } as const
    expect(await approveEscalation({ ...wish, policy: own, approver })).toEqual(own)
    expect(approver.asked).toEqual([])
  })
})

describe('an escalation that is asked for wrongly', () => {
  it.each([
    [{ mode: undefined }, /^invalid escalation: a justification needs a mode$/],
    [{ justification: undefined }, /^invalid justification: an escalation needs one$/],
    [{ justification: '  \n' }, /^invalid justification: it must not be blank$/],
    [{ justification: 5 }, /^invalid justification: /],
    [{ mode: 'read-only' }, /^invalid escalation: the mode must be workspace-write or danger-full-access$/],
    [{ mode: 'full' }, /^invalid escalation: the mode must be/]
  ])('with %j is an error before anybody is asked', async (part, message) => {
    const approver = new Approver()
    expect(await refusal({ ...wish, approver, ...part } as EscalationRequest)).toEqual(refused('invalid', message))
    expect(approver.asked).toEqual([])
  })

  it('is an error where the mode is not wider, whoever could be asked', async () => {
    const approver = new Approver()
    const wide = { ...policy, mode: 'danger-full-access' } as const
    const message = 'invalid escalation: workspace-write is not wider than danger-full-access'
    expect(await refusal({ ...wish, policy: wide, approver })).toEqual(refused('invalid', message))
    // Before it is found that nobody is there to be asked.
    expect(await refusal({ policy: wide, mode: 'workspace-write', justification: 'x' })).toEqual(
      refused('invalid', message)
    )
    expect(approver.asked).toEqual([])
  })

  it('is an error where nothing is confined', async () => {
    const message = 'invalid escalation: commands are not confined here'
    expect(await refusal({ ...wish, policy: undefined, approver: new Approver() })).toEqual(
      refused('unsupported', message)
    )
  })
})

describe('an escalation that is not allowed', () => {
  it('says first that nobody approves, then that there is nobody to ask for', async () => {
    const { agent: _, ...nobody } = wish
    const text = (why: string) => `the escalation of the sandbox to workspace-write cannot be decided: ${why}`
    expect(await refusal(nobody)).toEqual(refused('unavailable', text('there is nobody who approves')))
    const approver = new Approver()
    expect(await refusal({ ...nobody, approver })).toEqual(refused('unavailable', text('there is no agent to ask for')))
    expect(approver.asked).toEqual([])
  })

  it.each([
    ['rejected', 'rejected', /workspace-write was rejected$/],
    ['cancelled', 'cancelled', /was cancelled before it was decided$/],
    ['unavailable', 'unavailable', /whoever approves gave no decision$/],
    ['allowed', 'unavailable', /gave no decision$/],
    [undefined, 'unavailable', /gave no decision$/],
    [true, 'unavailable', /gave no decision$/],
    ['toString', 'unavailable', /gave no decision$/]
  ])('with the outcome %j is refused as %s', async (outcome, reason, message) => {
    expect(await refusal({ ...wish, approver: new Approver(() => outcome) })).toEqual(refused(reason, message))
  })

  it('because the approver fails is refused, and keeps the cause', async () => {
    const cause = new Error('no line')
    const approver = new Approver(() => {
      throw cause
    })
    await expect(approveEscalation({ ...wish, approver })).rejects.toMatchObject({ refusal: 'unavailable', cause })
  })

  it('because the call was called off is cancelled, also where the grant comes too late', async () => {
    const early = new Approver()
    const signal = AbortSignal.abort()
    expect(await refusal({ ...wish, approver: early, signal })).toEqual(refused('cancelled', /cancelled/))
    expect(early.asked).toEqual([])
    const controller = new AbortController()
    const late = new Approver(() => {
      controller.abort()
      return 'allowed-once'
    })
    expect(await refusal({ ...wish, approver: late, signal: controller.signal })).toEqual(
      refused('cancelled', /cancelled/)
    )
  })
})

it('the modes that can be asked for are the two wider ones', () => {
  expect(escalationTargets).toEqual(['workspace-write', 'danger-full-access'])
})
