// A shell for each owner that lives from call to call: variables, working folder and functions stay. Calls of one owner run
// one after the other. A shell that cannot be trusted any more is ended, and the next call starts a new one.

import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { onAbort } from '../subprocess/local/abort-listeners.js'
import { checkSignal, checkText, throwIfAborted } from '../subprocess/preflight-values.js'
import { type CallEnd, callBash } from './bash-call.js'
import type { PersistentBashRequest, PersistentBashResult } from './bash-types.js'
import type { LocalTerminalRegistry } from './local-registry.js'
import type { OwnedTerminal } from './owned-terminal.js'
import { beginning, whenReady } from './readiness.js'
import { checkOwner, checkTimeout } from './requests.js'
import type { TerminalOwner } from './types.js'

const defaultTimeoutMs = 300_000
const defaultOutputChars = 16_000

export class PersistentBash {
  readonly #terminals: LocalTerminalRegistry
  readonly #shells = new Map<TerminalOwner, OwnedTerminal>()
  /** The last call of each owner. */
  readonly #queues = new Map<TerminalOwner, Promise<unknown>>()

  /** Shells belong to the registry: its disposal, or that of an owner there, ends them. */
  constructor(terminals: LocalTerminalRegistry) {
    this.#terminals = terminals
  }

  /**
   * Runs one command. However it ends is a result; this rejects for bad input, when no shell can be started, and with the
   * reason of the signal if that aborts before the command has begun.
   */
  async run(given: PersistentBashRequest): Promise<PersistentBashResult> {
    const request = checkRequest(given)
    const { owner } = request
    const earlier = this.#queues.get(owner) ?? Promise.resolve()
    const call = earlier.then(() => this.#run(request))
    const settled = call.catch(() => {})
    this.#queues.set(owner, settled)
    try {
      return await call
    } finally {
      if (this.#queues.get(owner) === settled) this.#queues.delete(owner)
    }
  }

  /** Ends the shell of this owner, if there is one; the next call gets a new one. */
  async reset(owner?: TerminalOwner): Promise<void> {
    checkOwner(owner)
    const shell = this.#shells.get(owner)
    if (shell === undefined) return
    await this.#terminals.closeTerminal(shell)
    if (this.#shells.get(owner) === shell) this.#shells.delete(owner)
  }

  async #run(request: CheckedRequest): Promise<PersistentBashResult> {
    const { command, timeoutMs, signal, maxOutputChars } = request
    throwIfAborted(signal)
    const deadline = performance.now() + timeoutMs
    const shell = await this.#shell(request)
    const { session } = shell
    let aborted = signal?.aborted === true
    const stopListening =
      signal &&
      onAbort(signal, () => {
        aborted = true
        session.wake()
      })
    let call: CallEnd
    try {
      const terms = { timings: this.#terminals.timings, deadline, aborted: () => aborted, maxOutputChars }
      call = await callBash(session, command, terms)
    } finally {
      stopListening?.()
    }
    const { end, exitCode, capture } = call
    const { outcome } = session
    const reset = await this.#settle(end, shell)
    const { text: output, truncated, total: totalChars } = capture
    return {
      end,
      output,
      truncated,
      totalChars,
      exitCode,
      outcome: end === 'shell_exited' ? outcome : undefined,
      reset,
      timeoutMs
    }
  }

  async #shell(request: CheckedRequest): Promise<OwnedTerminal> {
    const { owner, cwd, sandboxPolicy, signal } = request
    const known = this.#shells.get(owner)
    if (known !== undefined && known.session.outcome === undefined) return known
    if (known !== undefined) await this.reset(owner)
    const shell = await this.#terminals.openTerminal({ owner, cwd, sandboxPolicy, signal }, false)
    this.#shells.set(owner, shell)
    // Without an echo the shell need not redraw what is typed, and without history `!` and the file mean nothing.
    const before = beginning(shell.session)
    await shell.session.handle.write(' set +o history +H; stty -echo\n')
    await whenReady(shell.session, before, this.#terminals.timings, this.#terminals.timings.sendTimeoutMs)
    return shell
  }

  /** Whether the shell's state is gone. */
  async #settle(end: CallEnd['end'], { session, identity }: OwnedTerminal): Promise<boolean> {
    if (end === 'completed' || end === 'interrupted') return false
    if (end === 'reading' && session.outcome === undefined && (await this.#interrupt(session))) return false
    await this.reset(identity.owner)
    return true
  }

  /** True if the shell is back at its prompt. */
  async #interrupt(session: OwnedTerminal['session']): Promise<boolean> {
    const { timings } = this.#terminals
    const before = beginning(session)
    try {
      session.handle.signalForeground('SIGINT')
    } catch {
      return false
    }
    await whenReady(session, before, timings, timings.graceMs)
    return session.prompts > before.prompts && session.atPrompt
  }
}

type CheckedRequest = PersistentBashRequest & { readonly timeoutMs: number; readonly maxOutputChars: number }

function checkRequest(given: PersistentBashRequest): CheckedRequest {
  const { timeoutMs = defaultTimeoutMs, maxOutputChars = defaultOutputChars, ...rest } = given
  checkOwner(rest.owner)
  checkText('command', rest.command)
  checkTimeout(timeoutMs)
  checkSignal('signal', rest.signal)
  if (typeof maxOutputChars !== 'number') throw invalidType('maxOutputChars', maxOutputChars, 'must be a number')
  if (!Number.isSafeInteger(maxOutputChars) || maxOutputChars < 1) {
    throw invalidRange('maxOutputChars', maxOutputChars, 'must be a positive safe integer')
  }
  return { ...rest, timeoutMs, maxOutputChars }
}
