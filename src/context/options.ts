// What `createContext` takes, and the schema that holds it to that.

import type { ZodType } from 'zod'
import { delayProblem, isDelay } from '../shell/durations.js'
import type { ShellSettingsInput } from '../shell/settings.js'
import { hasFields, isObject } from '../subprocess/preflight-values.js'
import type { RangeKind } from '../subprocess/types.js'
import { ofNumber } from '../validation/parse.js'
import { zod } from '../validation/zod.js'
import type { WarningSink } from './warnings.js'

/** `auto`: the native core where it loads and works, otherwise Node's own child processes, with a warning. */
export type ProviderChoice = 'auto' | 'native' | 'node'

export interface SubprocessOptions {
  readonly provider?: ProviderChoice | undefined
  /** The range kinds that may be used; absent: the strongest that this host offers. */
  readonly ranges?: readonly RangeKind[] | undefined
  /** An existing cgroup v2 folder to put the commands' folders into; absent: the process's own. */
  readonly cgroupParent?: string | undefined
  /** Where the private folder of spill files is made; absent: the temporary folder of the system. */
  readonly spillDir?: string | undefined
}

export interface ContextOptions {
  /** Working folder of commands that name none; absent: the host's own. */
  readonly cwd?: string | undefined
  readonly shell?: ShellSettingsInput | undefined
  readonly subprocess?: SubprocessOptions | undefined
  /** Gets what would otherwise be a process warning. */
  readonly onWarning?: WarningSink | undefined
}

/** A text that has a form in bytes which the kernel takes whole. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && !/[\ud800-\udfff]/u.test(value)
}

function makeSchema() {
  const z = zod()
  const record = {
    error: (issue: { code?: string }) => (issue.code === 'invalid_type' ? 'must be an object' : undefined)
  }
  const checked = <T>(accepts: (value: unknown) => boolean, error: string) => z.custom<T>(accepts, { error }).optional()
  const numeric = (accepts: (value: unknown) => boolean, error: string) =>
    z.custom<number>(accepts, { error, params: ofNumber }).optional()
  // What a Map or a promise was meant to say is in no field, and would be lost silently.
  const settings = <T extends ZodType>(fields: T) =>
    z.preprocess((value) => (isObject(value) && !hasFields(value) ? null : value), fields)
  const path = checked<string>(isPath, 'must be a path')
  const delay = numeric(isDelay, delayProblem)
  const size = numeric(
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
    'must be a positive safe integer'
  )
  return settings(
    z.strictObject(
      {
        cwd: path,
        shell: settings(
          z
            .strictObject(
              {
                timeoutMs: delay,
                maxTimeoutMs: delay,
                maxOutputBytes: size,
                maxSpillBytes: size,
                graceMs: delay
              },
              record
            )
            .optional()
        ),
        subprocess: settings(
          z
            .strictObject(
              {
                provider: z
                  .enum(['auto', 'native', 'node'], { error: "must be 'auto', 'native' or 'node'" })
                  .optional(),
                ranges: z
                  .array(
                    z.enum(['cgroup', 'scope', 'supervisor', 'group'], {
                      error: "must be 'cgroup', 'scope', 'supervisor' or 'group'"
                    }),
                    { error: 'must be a list of range kinds' }
                  )
                  .min(1, { error: 'must name at least one range kind' })
                  .optional(),
                cgroupParent: path,
                spillDir: path
              },
              record
            )
            .optional()
        ),
        onWarning: checked<WarningSink>((value) => typeof value === 'function', 'must be a function')
      },
      record
    )
  )
}

let schema: ReturnType<typeof makeSchema> | undefined

export function contextOptionsSchema(): ReturnType<typeof makeSchema> {
  schema ??= makeSchema()
  return schema
}
