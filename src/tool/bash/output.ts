// The schema of what a call of the bash tool comes to, and how the result of the shell becomes that.

import type { ShellOutput, ShellRunResult } from '../../shell/types.js'
import { zod } from '../../validation/zod.js'
import type { BashForeground, BashOutput, BashStream } from './types.js'

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
