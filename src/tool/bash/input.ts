// What a model may send to the bash tool. What is advertised depends on what the tool is made of; what arrives is checked
// against all of it, so that a switch that was not advertised is refused by name and not passed over.

import { escalationTargets } from '../../sandbox/escalation.js'
import type { SandboxMode } from '../../sandbox/types.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import type { BashSetup } from './options.js'
import type { BashInput } from './types.js'

const duration = 'must be a positive finite number'

/** Text that reaches a program byte for byte. */
const isPlain = (text: string): boolean => !text.includes('\0') && !/[\ud800-\udfff]/u.test(text)

function ordinaryFields() {
  const { z } = zod()
  const text = (error: string) =>
    z
      .string({ error })
      .refine((value) => value.trim() !== '', { error, abort: true })
      .refine(isPlain, { error: 'must contain neither NUL bytes nor lone surrogates' })
  return {
    command: text('must be a string that is not blank').describe('What bash is to run.'),
    description: text('must be a string that is not blank').describe('What the command does, in five to ten words.'),
    timeoutMs: z
      .number({ error: duration })
      .positive({ error: duration })
      .optional()
      .describe('How long to wait for the command, in milliseconds.'),
    workdir: text('must be a path that is not blank')
      .optional()
      .describe('Folder to run in; a relative one is below the working folder of the session, which is the default.')
  }
}

function backgroundField() {
  return zod()
    .z.boolean({ error: 'must be true or false' })
    .optional()
    .describe('Start the command as a background job and return its id at once: for servers, watchers and long builds.')
}

/** The schema that a model sees. */
export function bashInputSchema({ background, sandboxPolicy }: BashSetup): import('zod').ZodType<BashInput> {
  const { z } = zod()
  const escalation = {
    sandbox_permissions: z
      .enum(escalationTargets as readonly [SandboxMode, ...SandboxMode[]], {
        error: `must be ${escalationTargets.join(' or ')}`
      })
      .optional()
      .describe('A wider sandbox mode for this call alone, after a denial. Somebody has to approve it.'),
    justification: z
      .string({ error: 'must be a string' })
      .optional()
      .describe('Why the wider mode is needed, for whoever approves it. Goes with sandbox_permissions.')
  }
  return z.object(
    {
      ...ordinaryFields(),
      ...(background && { run_in_background: backgroundField() }),
      ...(sandboxPolicy && escalation)
    },
    { error: 'must be an object' }
  ) as import('zod').ZodType<BashInput>
}

function makeArrivalSchema() {
  const { z } = zod()
  // The two of an escalation are checked where it is asked for.
  const fields = { ...ordinaryFields(), run_in_background: backgroundField() }
  return z.object(
    { ...fields, sandbox_permissions: z.unknown().optional(), justification: z.unknown().optional() },
    { error: 'must be an object' }
  )
}

let arrivalSchema: ReturnType<typeof makeArrivalSchema> | undefined

/** @throws TypeError or RangeError that names the field and the value. Fields that are not known are left out. */
export function parseBashInput(input: unknown): BashInput {
  arrivalSchema ??= makeArrivalSchema()
  return parse(arrivalSchema, input, 'bash', 'input') as BashInput
}
