// What a call of the bash tool comes to, as data: a command that has ended, a job that was started, or a command that has
// outlasted the wait and goes on as the job that it was from its start.

import type { ShellOutput, ShellRunResult, ShellSandboxInfo } from '../../shell/types.js'
import { zod } from '../../validation/zod.js'

/** One stream of a command that has ended. */
export interface BashStream {
  /** Everything, or its tail. */
  readonly text: string
  readonly truncated: boolean
  readonly totalBytes: number
  /** The file with the whole stream, if there is one. */
  readonly spillPath?: string | undefined
}

/** A command that has ended, however badly. */
export interface BashForeground {
  readonly kind: 'foreground'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** A call that was ended from outside is an error. */
  readonly aborted: false
  readonly timeoutMs: number
  readonly stdout: BashStream
  readonly stderr: BashStream
  /** Absent where commands are not confined. */
  readonly sandbox?: ShellSandboxInfo | undefined
}

/** A job that was asked for. */
export interface BashBackground {
  readonly kind: 'background'
  readonly jobId: string
}

/** A command that has outlasted `timeoutMs` and goes on, with what it has printed so far. */
export interface BashPromoted {
  readonly kind: 'promoted'
  readonly jobId: string
  /** How long the call has waited. */
  readonly timeoutMs: number
  readonly stdout: string
  readonly stderr: string
  /** Something is left out that memory no longer has. */
  readonly lossy: boolean
  readonly spillPaths: readonly string[]
}

export type BashOutput = BashForeground | BashBackground | BashPromoted

function makeSchema() {
  const { z } = zod()
  const stream = z.strictObject({
    text: z.string(),
    truncated: z.boolean(),
    totalBytes: z.number(),
    spillPath: z.string().optional()
  })
  const sandbox = z.strictObject({
    mode: z.enum(['read-only', 'workspace-write', 'danger-full-access']),
    denied: z.boolean(),
    enforcement: z.enum(['full', 'partial']).optional(),
    backend: z.string().optional(),
    notGoverned: z.array(z.string()).optional(),
    warnings: z.array(z.string()).optional(),
    runnerFailed: z.literal(true).optional()
  })
  const foreground = z.strictObject({
    kind: z.literal('foreground'),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    timedOut: z.boolean(),
    aborted: z.literal(false),
    timeoutMs: z.number(),
    stdout: stream,
    stderr: stream,
    sandbox: sandbox.optional()
  })
  const background = z.strictObject({ kind: z.literal('background'), jobId: z.string() })
  const promoted = z.strictObject({
    kind: z.literal('promoted'),
    jobId: z.string(),
    timeoutMs: z.number(),
    stdout: z.string(),
    stderr: z.string(),
    lossy: z.boolean(),
    spillPaths: z.array(z.string())
  })
  return z.discriminatedUnion('kind', [foreground, background, promoted])
}

let schema: import('zod').ZodType<BashOutput> | undefined

export function bashOutputSchema(): import('zod').ZodType<BashOutput> {
  schema ??= makeSchema() as import('zod').ZodType<BashOutput>
  return schema
}

function streamOf({ text, truncated, totalBytes, spillPath }: ShellOutput): BashStream {
  return { text, truncated, totalBytes, ...(spillPath !== undefined && { spillPath }) }
}

/** Of a result that is not aborted. */
export function foregroundOf(result: ShellRunResult): BashForeground {
  const { exitCode, signal, timedOut, timeoutMs, stdout, stderr, sandbox } = result
  return {
    ...{ kind: 'foreground', exitCode, signal, timedOut, aborted: false, timeoutMs },
    stdout: streamOf(stdout),
    stderr: streamOf(stderr),
    ...(sandbox && { sandbox })
  }
}
