// The persistent bash tool: one shell for each session, whose state stays from call to call. Takes the place of the one-shot
// bash tool under the same name where a host prefers it.

import { invalidType } from '../../errors/invalid-input.js'
import type { SandboxPolicyService } from '../../sandbox/policy-service.js'
import { checkKeys, hasFields, isObject } from '../../subprocess/preflight-values.js'
import type { PersistentBash } from '../../terminal/persistent-bash.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted, orAborted, ToolAbortError } from '../abort.js'
import { readCall } from '../call.js'
import { sessionPolicy } from '../session-policy.js'
import { withLine } from '../text.js'
import type { Tool } from '../types.js'
import { exitFields, outcomeFields, positiveField, shellExitLine } from './fields.js'

export interface PersistentBashToolOptions {
  readonly bash: PersistentBash
  readonly sandboxPolicy?: SandboxPolicyService | undefined
}

export interface PersistentBashInput {
  readonly command: string
  readonly timeoutMs?: number | undefined
}

const ends = ['completed', 'interrupted', 'reading', 'timeout', 'shell_exited'] as const

export interface PersistentBashOutput {
  readonly end: (typeof ends)[number]
  readonly output: string
  readonly truncated: boolean
  readonly totalChars: number
  /** Of the command. */
  readonly exitCode: number | null
  /** Of the shell, with `shell_exited`. */
  readonly shell: { readonly exitCode: number | null; readonly signal: string | null }
  readonly reset: boolean
  readonly timeoutMs: number
}

export type PersistentBashTool = Tool<PersistentBashInput, PersistentBashOutput>

const known: ReadonlySet<string> = new Set(['bash', 'sandboxPolicy'])
const freshNote =
  '[the shell has been reset: the next call starts a fresh one, without its variables and working folder]'

function linesOf({
  end,
  truncated,
  output,
  totalChars,
  exitCode,
  shell,
  reset,
  timeoutMs
}: PersistentBashOutput): string[] {
  const lines: string[] = []
  if (truncated) lines.push(`[output truncated: the first ${output.length} of ${totalChars} characters]`)
  if (end === 'timeout') lines.push(`[timed out after ${timeoutMs}ms]`)
  if (end === 'interrupted') lines.push('[the shell returned to its prompt before the command was finished]')
  if (end === 'reading') lines.push('[the command waited for input from the terminal and was interrupted]')
  if (end === 'shell_exited') lines.push(shellExitLine(shell))
  if (reset) lines.push(freshNote)
  if (exitCode !== null && exitCode !== 0) lines.push(`[exit code: ${exitCode}]`)
  return lines
}

const render = (output: PersistentBashOutput): string =>
  linesOf(output).reduce(withLine, output.output || '(no output)')

function pillOf({ end, exitCode }: PersistentBashOutput): string {
  if (end === 'timeout') return 'timed out'
  if (end === 'shell_exited') return 'shell exited'
  return exitCode === null ? 'status unknown' : `exit ${exitCode}`
}

/** @throws TypeError that names the option and the value. */
export function persistentBashTool(options: PersistentBashToolOptions): PersistentBashTool {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, known)
  const { bash, sandboxPolicy } = options as PersistentBashToolOptions
  if (!isObject(bash) || typeof bash.run !== 'function') throw invalidType('bash', bash, 'must be a PersistentBash')
  const { z } = zod()
  const error = 'must be a string that is not blank'
  const inputSchema = z.object(
    {
      command: z
        .string({ error })
        .refine((text) => text.trim() !== '', { error })
        .describe('What bash is to run.'),
      timeoutMs: positiveField().optional().describe('After that the shell is reset, in milliseconds; default 300000.')
    },
    { error: 'must be an object' }
  )
  const outputSchema = z.strictObject({
    end: z.enum(ends),
    output: z.string(),
    truncated: z.boolean(),
    totalChars: z.number(),
    exitCode: z.number().nullable(),
    shell: z.strictObject(outcomeFields()),
    reset: z.boolean(),
    timeoutMs: z.number()
  })
  return {
    name: 'bash',
    description:
      'Runs a command in a bash that stays from call to call: variables, functions and the working folder are kept. ' +
      'Commands run one after the other and get no input. At a timeout the shell is reset.',
    inputSchema,
    outputSchema,
    async execute(given, givenCall) {
      const input: PersistentBashInput = parse(inputSchema, given, 'bash', 'input')
      const { session, owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      const running = bash.run({
        ...{ owner, command: input.command, timeoutMs: input.timeoutMs, signal },
        ...{ cwd: session?.cwd, sandboxPolicy: sessionPolicy(sandboxPolicy, session) }
      })
      const { outcome, end, ...result } = await running.catch((failure: unknown) =>
        orAborted(Promise.reject(failure), signal)
      )
      if (end === 'cancelled') throw new ToolAbortError(signal?.reason)
      return { ...result, end, shell: exitFields(outcome) }
    },
    render,
    present: (output) => ({
      ...{ kind: 'terminal', title: 'bash', body: render(output) },
      ...{ pill: pillOf(output), isError: false }
    })
  }
}
