// Which policy a command gets: the deployment's settings, the mode and folder of its session, a mode that was approved for
// one call. What comes out is plain data, complete for one call.

import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkText, hasFields, isObject } from '../subprocess/preflight-values.js'
import { canonicalPath, isWithin } from './canonical-path.js'
import { checkMode, checkNetwork, checkPaths, checkPolicy } from './policy-checks.js'
import type { SandboxModeEvent, SandboxSession } from './session.js'
import type { SandboxExecutionPolicy, SandboxMode, SandboxNetwork } from './types.js'
import { writableRoots } from './writable-roots.js'

export interface SandboxPolicyOptions {
  /** Mode of calls whose session has none; absent: `read-only`. */
  readonly mode?: SandboxMode | undefined
  /** Absent: the working folder of the host at that moment. A relative one lies below that. */
  readonly workspaceRoot?: string | undefined
  /** More that may be written to in `workspace-write`, absolute. */
  readonly writableRoots?: readonly string[] | undefined
  /** What commands cannot read in any confined mode, absolute. */
  readonly hiddenPaths?: readonly string[] | undefined
  readonly network?: SandboxNetwork | undefined
}

const known: ReadonlySet<string> = new Set([
  'mode',
  'workspaceRoot',
  'writableRoots',
  'hiddenPaths',
  'network'
] satisfies (keyof SandboxPolicyOptions)[])

/** `..` is left to the kernel: folding it would step over symbolic links. */
function absolute(path: string): string {
  return path.startsWith('/') ? path : `${process.cwd()}/${path}`
}

function checkFolder(option: string, folder: unknown): asserts folder is string | undefined {
  if (folder === undefined) return
  checkText(option, folder)
  if (folder === '') throw invalidType(option, folder, 'must not be empty')
}

function readOptions(options: unknown): SandboxPolicyOptions {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  return { ...options }
}

interface SessionFacts {
  readonly id?: string
  readonly cwd?: string | undefined
  readonly mode?: SandboxMode | undefined
}

/** Each field is looked at once: what is checked is what is used. */
function factsOf(session: SandboxSession | undefined): SessionFacts {
  if (session === undefined) return {}
  if (!isObject(session)) throw invalidType('session', session, 'must be a SandboxSession')
  const { id, cwd, sandboxModes } = session as SandboxSession
  checkText('session.id', id)
  checkFolder('session.cwd', cwd)
  if (!Array.isArray(sandboxModes)) throw invalidType('session.sandboxModes', sandboxModes, 'must be a list of modes')
  const modes: SandboxMode[] = [...sandboxModes]
  // Not one of them is passed over: a record that cannot be read must not end in a wider mode.
  for (const mode of modes) checkMode('session.sandboxModes', mode)
  return { id, cwd, mode: modes.at(-1) }
}

/** Tells why the mode of `session` may not change now; `undefined` if it may. */
export type ModeFence = (session: SandboxSession) => string | undefined

export class SandboxPolicyService {
  /** What holds for calls without a session and for sessions without a mode of their own. */
  readonly defaultMode: SandboxMode
  readonly #fences = new Set<ModeFence>()
  readonly #workspaceRoot: string | undefined
  readonly #workspaces = new Map<string, string>()
  readonly #rest: Pick<SandboxExecutionPolicy, 'writableRoots' | 'hiddenPaths' | 'network'>

  /** @throws TypeError that names the option and the value. */
  constructor(options: SandboxPolicyOptions = {}) {
    const own = readOptions(options)
    checkKeys('', own, known)
    const { mode = 'read-only', workspaceRoot, writableRoots, hiddenPaths, network } = own
    checkMode('mode', mode)
    checkFolder('workspaceRoot', workspaceRoot)
    checkNetwork('network', network)
    this.defaultMode = mode
    this.#workspaceRoot = workspaceRoot
    this.#rest = {
      writableRoots: checkPaths('writableRoots', writableRoots),
      hiddenPaths: checkPaths('hiddenPaths', hiddenPaths),
      network
    }
  }

  /** The session's last recorded mode, else the default. */
  modeOf(session?: SandboxSession): SandboxMode {
    return factsOf(session).mode ?? this.defaultMode
  }

  /** The policy of one call. `approvedMode` is a mode that was approved for just this call. */
  policyFor(session?: SandboxSession, approvedMode?: SandboxMode): SandboxExecutionPolicy {
    const { id, cwd, mode = this.defaultMode } = factsOf(session)
    if (approvedMode !== undefined) checkMode('approvedMode', approvedMode)
    return checkPolicy('policy', {
      ...this.#rest,
      mode: approvedMode ?? mode,
      workspaceRoot: this.#workspaceOf(absolute(cwd ?? this.#workspaceRoot ?? process.cwd())),
      sessionId: id
    })
  }

  /**
   * Asks `fence` before a mode is recorded: a reason, as the end of a sentence, refuses it. For what would go on under the
   * old mode. Returns the way to take the fence away.
   */
  fence(fence: ModeFence): () => void {
    const own: ModeFence = (session) => fence(session)
    this.#fences.add(own)
    return () => this.#fences.delete(own)
  }

  /**
   * A workspace inside a folder that commands may write to can be replaced by them with a link: it stays what it was at
   * first, so that the provider sees the difference. Elsewhere a link belongs to the host, and is followed anew.
   */
  #workspaceOf(spelled: string): string {
    const before = this.#workspaces.get(spelled)
    if (before !== undefined) return before
    const place = canonicalPath(spelled)
    const others = writableRoots({ ...this.#rest, mode: 'workspace-write', workspaceRoot: place }).slice(1)
    if (others.some((root) => root !== place && isWithin(place, root))) this.#workspaces.set(spelled, place)
    return place
  }

  /**
   * Records the mode in the session, as one event. It holds from the next call on.
   * @throws Error with the code `SANDBOX_MODE_FENCED` while something of the session goes on under the old one.
   */
  async setSandboxMode(session: SandboxSession, mode: SandboxMode): Promise<void> {
    if (!isObject(session) || typeof session.append !== 'function') {
      throw invalidType('session', session, 'must be a SandboxSession')
    }
    checkMode('mode', mode)
    for (const fence of this.#fences) {
      const reason = fence(session)
      if (reason === undefined) continue
      throw Object.assign(new Error(`cannot set the sandbox mode: ${reason}`), { code: 'SANDBOX_MODE_FENCED' as const })
    }
    const event: SandboxModeEvent = Object.freeze({ type: 'sandbox/mode', mode })
    await session.append(event)
  }
}
