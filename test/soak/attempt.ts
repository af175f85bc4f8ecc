// One command of the soak: asked for, perhaps meddled with while it runs, and compared with what its kind must show.

import { inspect, isDeepStrictEqual } from 'node:util'
import type { Context, ShellExecRequest, ShellExecution, ShellRunResult } from 'quiesce'
import type { Random } from '../subprocess/output/random.js'

/** What commands are made from: the context that they run in, the run's randomness and its mark on all of its processes. */
export interface Scene {
  readonly context: Context
  /** A further context like that one. */
  readonly another: () => Promise<Context>
  readonly random: Random
  readonly env: Readonly<Record<string, string>>
}

export interface Kind {
  /** How often it comes up, against the others. */
  readonly weight: number
  /** Rejects with what is wrong. */
  attempt(scene: Scene): Promise<void>
}

/** How a command ended, without what differs from run to run. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly quiescent: boolean
  readonly stdout: string
  readonly stderr: string
}

export const success: Ending = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  quiescent: true,
  stdout: '',
  stderr: ''
}

export const endingOf = ({
  exitCode,
  signal,
  timedOut,
  aborted,
  quiescent,
  stdout,
  stderr
}: ShellRunResult): Ending => ({
  exitCode,
  signal,
  timedOut,
  aborted,
  quiescent,
  stdout: stdout.text,
  stderr: stderr.text
})

const shown = (value: unknown): string => inspect(value, { breakLength: Infinity, maxStringLength: 200, depth: 4 })

export function mustEqual(actual: unknown, ...allowed: unknown[]): void {
  if (allowed.some((expected) => isDeepStrictEqual(actual, expected))) return
  throw new Error(`${shown(actual)} is none of ${allowed.map(shown).join(' or ')}`)
}

export function start({ context, env }: Scene, request: ShellExecRequest): Promise<ShellExecution> {
  return context.shell.execute(context.shell.resolve({ ...request, env }))
}

export async function run(scene: Scene, request: ShellExecRequest): Promise<ShellRunResult> {
  return (await start(scene, request)).result()
}

/** Resolves at a random moment of the next `belowMs`, on a timer or within this turn of the event loop. */
export async function randomMoment(random: Random, belowMs: number): Promise<void> {
  const pauseMs = random(belowMs * 4) / 4
  if (pauseMs >= 0.5) await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
