// A command in a terminal of node-pty. Its processes are found in /proc, so one that leaves both the session and the tree
// before anybody looks is not seen; `range` says `group` for that.

import * as fs from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { foregroundUnknown, shellKillRefused } from '../../../errors/terminal-texts.js'
import type { LocalTerminal } from '../../local/terminal-driver.js'
import { checkSide } from '../../preflight-terminal.js'
import type { SubprocessTerminalForeground, SubprocessTerminalSignal } from '../../terminal-types.js'
import type { SubprocessOutcome } from '../../types.js'
import { waitsForInput } from './input-wait.js'
import { endTerminal } from './ladder.js'
import type { ForkedPty, PtyBinding } from './load-pty.js'
import { TerminalMembers } from './members.js'
import { type ProcessFacts, processFacts, treeBelow } from './process-table.js'
import { PtyInput } from './pty-input.js'
import { PtyOutput } from './pty-output.js'
import type { ExitFacts } from './start.js'

export class NodeTerminal implements LocalTerminal {
  readonly pid: number
  readonly range = 'group'
  readonly output: Readable
  readonly done: Promise<SubprocessOutcome>
  readonly over: Promise<void>
  quiescent = false
  readonly #fd: number
  readonly #device: number
  readonly #binding: PtyBinding
  readonly #graceMs: number
  readonly #input: PtyInput
  readonly #root: ProcessFacts
  readonly #members: TerminalMembers
  #exited = false
  #ladder: Promise<void> | null = null
  #isOver!: () => void

  /** `commandEnd` is the host's own descriptor of the end that the command has; both are taken over. */
  constructor(forked: ForkedPty, commandEnd: number, binding: PtyBinding, graceMs: number, exit: Promise<ExitFacts>) {
    const { fd, pid } = forked
    this.pid = pid
    this.#fd = fd
    this.#device = fs.fstatSync(commandEnd).rdev
    this.#binding = binding
    this.#graceMs = graceMs
    // A child that has not been reaped has facts, and it is reaped by the exit that is told in a later turn.
    this.#root = processFacts(pid) ?? goneAtOnce(pid)
    this.#members = new TerminalMembers(this.#root)
    this.#input = new PtyInput(fd)
    const output = new PtyOutput(fd, commandEnd)
    this.output = output.stream
    this.over = new Promise((resolve) => {
      this.#isOver = resolve
    })
    this.done = exit.then((facts) => {
      this.#exited = true
      this.#input.close()
      output.finish()
      // What the command left is ended too. A failure leaves the terminal to the runtime, whose disposal tries again.
      this.terminate().catch(() => {})
      return outcomeOf(facts)
    })
  }

  write(data: string | Uint8Array): Promise<void> {
    return this.#input.write(data)
  }

  resize(cols: number, rows: number): void {
    checkSide('cols', cols)
    checkSide('rows', rows)
    if (!this.#exited) this.#binding.resize(this.#fd, cols, rows)
  }

  inspectForeground(): SubprocessTerminalForeground | undefined {
    const group = this.#foreground()
    if (group === undefined) return undefined
    const members = treeBelow(this.pid).filter((pid) => processFacts(pid)?.group === group)
    return { processGroupId: group, inputWaiting: members.some((pid) => waitsForInput(pid, this.#device)) }
  }

  signalForeground(signal: SubprocessTerminalSignal): number {
    const group = this.#foreground()
    if (group === undefined) throw foregroundUnknown(this.pid)
    if (signal === 'SIGKILL' && group === this.#root.group) throw shellKillRefused()
    process.kill(-group, signal)
    return group
  }

  terminate(): Promise<void> {
    if (this.quiescent) return Promise.resolve()
    this.#ladder ??= this.#end().finally(() => {
      this.#ladder = null
    })
    return this.#ladder
  }

  kill(): void {
    const { pid } = this
    for (const member of this.#members.others()) this.#members.signal(member, 'SIGKILL')
    if (!this.#exited && processFacts(pid)?.start === this.#root.start) process.kill(pid, 'SIGKILL')
    for (const member of this.#members.others()) this.#members.signal(member, 'SIGKILL')
  }

  async #end(): Promise<void> {
    const ended = { members: this.#members, root: this.#root, exited: () => this.#exited, graceMs: this.#graceMs }
    await endTerminal(ended)
    await this.done
    this.quiescent = true
    this.#isOver()
  }

  #foreground(): number | undefined {
    if (this.#exited) return undefined
    const facts = processFacts(this.pid)
    return facts !== null && facts.start === this.#root.start && facts.foreground > 0 ? facts.foreground : undefined
  }
}

function goneAtOnce(pid: number): ProcessFacts {
  return { pid, parent: process.pid, group: pid, session: pid, foreground: -1, start: 'unknown', zombie: true }
}

function outcomeOf({ exitCode, signal }: ExitFacts): SubprocessOutcome {
  if (signal === 0) return { exitCode, signal: null }
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0]
  return { exitCode: null, signal: (name ?? `SIG${signal}`) as NodeJS.Signals }
}
