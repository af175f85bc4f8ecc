// Terminals of this process, over a subprocess runtime. A terminal is listed once it is usable; whatever ends its owner or
// the registry before that ends it too.

import { TerminalError } from '../errors/terminal-error.js'
import type { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import type { TerminalBackend } from './bash-backend.js'
import { lastFitting } from './clip.js'
import { checkLocalTerminalOptions, type LocalTerminalOptions } from './local-options.js'
import { checkOpen } from './open-request.js'
import { type Ground, openSession } from './opening.js'
import { OwnedTerminal } from './owned-terminal.js'
import { TerminalRegistry } from './registry.js'
import { checkAccess, checkOwner, checkRead, typingOf } from './requests.js'
import type { TerminalTimings } from './settings.js'
import type {
  TerminalAccess,
  TerminalOpenRequest,
  TerminalOwner,
  TerminalRead,
  TerminalReadRequest,
  TerminalSendRequest,
  TerminalSendResult,
  TerminalSignalRequest,
  TerminalSnapshot
} from './types.js'

interface Opening {
  readonly owner: TerminalOwner
  readonly name: string | undefined
  readonly controller: AbortController
  /** Never rejects. */
  readonly over: Promise<void>
}

export class LocalTerminalRegistry extends TerminalRegistry {
  readonly timings: TerminalTimings
  readonly #ground: Ground
  readonly #cwd: () => string
  readonly #policy: SandboxPolicyService | undefined
  readonly #backends: ReadonlyMap<string, TerminalBackend>
  readonly #openings = new Set<Opening>()
  readonly #terminals = new Map<string, OwnedTerminal>()
  readonly #ending = new Map<TerminalOwner, Promise<void>>()
  readonly #unfence: (() => void) | undefined
  #count = 0
  #disposing = false

  /**
   * @throws TypeError that names a wrong option; `TerminalError` with the code `DUPLICATE_BACKEND`.
   */
  constructor(options: LocalTerminalOptions) {
    super()
    const { subprocess, cwd, sandbox, sandboxPolicy, timings, backends } = checkLocalTerminalOptions(options)
    this.timings = timings
    this.#ground = { subprocess, sandbox, timings }
    this.#cwd = () => cwd ?? process.cwd()
    this.#policy = sandboxPolicy
    this.#backends = backends
    this.#unfence = sandboxPolicy?.fence((session) => this.#fenced(session.id))
  }

  async open(request: TerminalOpenRequest = {}): Promise<TerminalSnapshot> {
    return (await this.openTerminal(request, true)).snapshot
  }

  /**
   * For what drives a terminal of its own over this registry. An unlisted one is only known to its caller, but ends with
   * its owner and with the registry like any other.
   */
  async openTerminal(given: TerminalOpenRequest, listed: boolean): Promise<OwnedTerminal> {
    const request = checkOpen(given)
    const { owner, name, backend: backendName = 'bash', cwd = this.#cwd() } = request
    this.#checkServed(owner)
    const backend = this.#backends.get(backendName)
    if (backend === undefined) {
      throw new TerminalError(
        'NO_BACKEND',
        `no terminal backend ${JSON.stringify(backendName)}; there is ${[...this.#backends.keys()].join(', ')}`
      )
    }
    if (name !== undefined && this.#isTaken(owner, name)) {
      throw new TerminalError('DUPLICATE_NAME', `a terminal named ${JSON.stringify(name)} is open already`)
    }
    const policy = request.sandboxPolicy ?? this.#defaultPolicy()
    const controller = new AbortController()
    const signal = request.signal ? AbortSignal.any([controller.signal, request.signal]) : controller.signal
    const starting = openSession(this.#ground, { request, backend, cwd, policy, signal }).then((session) => {
      this.#count += 1
      const identity = { id: `pty-${this.#count}`, name, owner, backend: backendName, cwd }
      const terminal = new OwnedTerminal(session, identity, this.timings, listed)
      this.#terminals.set(identity.id, terminal)
      return terminal
    })
    const over = starting.then(
      () => {},
      () => {}
    )
    const opening: Opening = { owner, name, controller, over }
    this.#openings.add(opening)
    void over.then(() => this.#openings.delete(opening))
    const terminal = await starting
    // Between its being usable and this turn somebody may have ended it.
    if (!this.#terminals.has(terminal.identity.id)) this.#checkServed(owner)
    return terminal
  }

  async send(request: TerminalSendRequest): Promise<TerminalSendResult> {
    const typing = typingOf(request, this.timings.sendTimeoutMs)
    return this.#find(request).send(typing)
  }

  read(request: TerminalReadRequest): TerminalRead {
    const { lines, maxBytes, position } = checkRead(request)
    const terminal = this.#find(request)
    const { text } = terminal.session
    const { state, outcome } = terminal.snapshot
    if (position === undefined) {
      const shown = text.lastLines(lines, maxBytes)
      return { text: shown, position: text.end, lossy: false, state, outcome }
    }
    const from = Math.max(position, text.start)
    const all = text.from(from)
    const shown = all.slice(0, lastFitting(all, maxBytes))
    return { text: shown, position: Math.min(from, text.end) + shown.length, lossy: from > position, state, outcome }
  }

  signal(request: TerminalSignalRequest): number {
    checkAccess(request)
    return this.#find(request).signal(request.signal)
  }

  async close(request: TerminalAccess): Promise<void> {
    checkAccess(request)
    const { id, owner } = request
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) {
      if (this.#hasBeen(id)) return
      throw noSession(id)
    }
    if (terminal.identity.owner !== owner) throw foreignSession(id)
    await this.closeTerminal(terminal)
  }

  /** Ends everything in it; on a failure it stays, to be tried again. */
  async closeTerminal(terminal: OwnedTerminal): Promise<void> {
    await terminal.close()
    this.#terminals.delete(terminal.identity.id)
  }

  list(owner?: TerminalOwner): TerminalSnapshot[] {
    checkOwner(owner)
    return this.#of(owner).flatMap((terminal) => (terminal.listed ? [terminal.snapshot] : []))
  }

  async disposeOwner(owner: TerminalOwner): Promise<void> {
    checkOwner(owner)
    const running = this.#ending.get(owner)
    if (running !== undefined) return running
    const reason = new TerminalError('OWNER_NOT_LIVE', 'the owner of the terminal is being disposed of')
    const ending = this.#endAll((candidate) => candidate === owner, reason).finally(() => this.#ending.delete(owner))
    this.#ending.set(owner, ending)
    return ending
  }

  async dispose(): Promise<void> {
    this.#disposing = true
    this.#unfence?.()
    await this.#endAll(() => true, new TerminalError('SERVICE_DISPOSING', 'the terminal registry is being disposed of'))
  }

  async #endAll(concerns: (owner: TerminalOwner) => boolean, reason: TerminalError): Promise<void> {
    const openings = [...this.#openings].filter(({ owner }) => concerns(owner))
    for (const { controller } of openings) controller.abort(reason)
    await Promise.all(openings.map(({ over }) => over))
    const terminals = [...this.#terminals.values()].filter(({ identity }) => concerns(identity.owner))
    const results = await Promise.allSettled(terminals.map((terminal) => this.closeTerminal(terminal)))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, 'terminals could not be ended')
  }

  #checkServed(owner: TerminalOwner): void {
    if (this.#disposing) throw new TerminalError('SERVICE_DISPOSING', 'the terminal registry is being disposed of')
    if (this.#ending.has(owner))
      throw new TerminalError('OWNER_NOT_LIVE', 'the owner of the terminal is being disposed of')
  }

  #find({ id, owner }: TerminalAccess): OwnedTerminal {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined || !terminal.listed) throw noSession(id)
    if (terminal.identity.owner !== owner) throw foreignSession(id)
    return terminal
  }

  #of(owner: TerminalOwner): OwnedTerminal[] {
    return [...this.#terminals.values()].filter(({ identity }) => identity.owner === owner)
  }

  #isTaken(owner: TerminalOwner, name: string): boolean {
    const others = [...this.#openings, ...this.#of(owner).map(({ identity }) => identity)]
    return others.some((other) => other.owner === owner && other.name === name)
  }

  #hasBeen(id: string): boolean {
    const number = /^pty-([1-9]\d*)$/.exec(id)?.[1]
    return number !== undefined && Number(number) <= this.#count
  }

  #defaultPolicy(): SandboxExecutionPolicy | undefined {
    return this.#policy?.policyFor()
  }

  /** A terminal keeps the confinement that it was opened with, so a new mode of its owner would not hold for it. */
  #fenced(session: string): string | undefined {
    const concerned = this.#of(session).length > 0 || [...this.#openings].some(({ owner }) => owner === session)
    return concerned ? 'a terminal of this session is open; close it first' : undefined
  }
}

const noSession = (id: string): TerminalError => new TerminalError('NO_SESSION', `no terminal ${id}`)
const foreignSession = (id: string): TerminalError =>
  new TerminalError('FOREIGN_SESSION', `terminal ${id} belongs to another session`)
