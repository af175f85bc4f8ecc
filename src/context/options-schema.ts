// The schema that holds the options of `createContext` to their types. Made at the first use: the library behind it takes
// longer to load than everything else.

import type { ZodType } from 'zod'
import { delayProblem, isDelay } from '../shell/durations.js'
import { limitNames, limitRules } from '../subprocess/preflight-limits.js'
import { hasFields, isObject } from '../subprocess/preflight-values.js'
import { ofNumber } from '../validation/parse.js'
import { zod } from '../validation/zod.js'
import type { JobOptions } from './options.js'
import type { WarningSink } from './warnings.js'

/** A text that has a form in bytes which the kernel takes whole. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && !/[\ud800-\udfff]/u.test(value)
}

const isAbsolutePath = (value: unknown): value is string => isPath(value) && value.startsWith('/')
const isLine = (value: unknown): value is string => isPath(value) && value.trim() !== '' && !/[\r\n]/.test(value)

/** The pieces that the sections are made of. */
function makePieces() {
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
  const list = <T>(accepts: (value: unknown) => value is T, error: string, whole: string) =>
    z.array(z.custom<T>(accepts, { error }), { error: whole })
  return {
    z,
    record,
    checked,
    settings,
    list,
    numeric,
    path: checked<string>(isPath, 'must be a path'),
    delay: numeric(isDelay, delayProblem),
    size: numeric((value) => Number.isSafeInteger(value) && (value as number) > 0, 'must be a positive safe integer'),
    paths: list(isAbsolutePath, 'must be an absolute path', 'must be a list of absolute paths').optional()
  }
}

type Pieces = ReturnType<typeof makePieces>

function limitsSection({ z, record, settings, numeric }: Pieces) {
  const fields = limitNames.map((name) => [name, numeric(limitRules[name].accepts, limitRules[name].problem)] as const)
  return settings(z.strictObject(Object.fromEntries(fields), record).optional())
}

function shellSection(pieces: Pieces) {
  const { z, record, settings, delay, size } = pieces
  const fields = {
    timeoutMs: delay,
    maxTimeoutMs: delay,
    maxOutputBytes: size,
    maxSpillBytes: size,
    graceMs: delay,
    limits: limitsSection(pieces)
  }
  return settings(z.strictObject(fields, record).optional())
}

function subprocessSection({ z, record, settings, path }: Pieces) {
  const provider = z.enum(['auto', 'native', 'node'], { error: "must be 'auto', 'native' or 'node'" })
  const kind = z.enum(['cgroup', 'scope', 'supervisor', 'group'], {
    error: "must be 'cgroup', 'scope', 'supervisor' or 'group'"
  })
  const ranges = z
    .array(kind, { error: 'must be a list of range kinds' })
    .min(1, { error: 'must name at least one range kind' })
  const onHostCrash = z.enum(['end', 'leave'], { error: "must be 'end' or 'leave'" })
  const fields = {
    provider: provider.optional(),
    ranges: ranges.optional(),
    cgroupParent: path,
    spillDir: path,
    onHostCrash: onHostCrash.optional()
  }
  return settings(z.strictObject(fields, record).optional())
}

function sandboxSection({ z, record, settings, list, path, paths, delay }: Pieces) {
  const mode = z.enum(['read-only', 'workspace-write', 'danger-full-access'], {
    error: "must be 'read-only', 'workspace-write' or 'danger-full-access'"
  })
  const backend = z.enum(['native', 'bwrap', 'landlock', 'seatbelt'], {
    error: "must be 'native', 'bwrap', 'landlock' or 'seatbelt'"
  })
  const backends = z
    .array(backend, { error: 'must be a list of backends' })
    .min(1, { error: 'must name at least one backend' })
  const words = list(isPath, 'must be a string that is not empty', 'must be a list of strings')
  const lines = list(isLine, 'must be a single line that is not blank', 'must be a list of strings')
  const fields = {
    mode: mode.optional(),
    workspaceRoot: path,
    writableRoots: paths,
    hiddenPaths: paths,
    network: z.enum(['host', 'none'], { error: "must be 'host' or 'none'" }).optional(),
    backends: backends.optional(),
    probeTimeoutMs: delay,
    runnerCommand: words.optional(),
    runnerFailureSignatures: lines.optional()
  }
  const isWhole = ({ runnerCommand = [], runnerFailureSignatures = [] }: SandboxFields): boolean =>
    runnerCommand.length > 0 === runnerFailureSignatures.length > 0
  const whole = z.strictObject(fields, record).refine(isWhole, {
    path: ['runnerFailureSignatures'],
    error: 'must be given together with runnerCommand'
  })
  return settings(whole.optional())
}

function jobsSection({ z, record, settings, checked, size, delay }: Pieces) {
  const fields = {
    maxActivePerOwner: size,
    maxEndedPerOwner: size,
    outputLimitBytes: size,
    disposeTimeoutMs: delay,
    serves: checked<JobOptions['serves']>((value) => typeof value === 'function', 'must be a function')
  }
  return settings(z.strictObject(fields, record).optional())
}

interface SandboxFields {
  readonly runnerCommand?: readonly string[] | undefined
  readonly runnerFailureSignatures?: readonly string[] | undefined
}

function makeSchema() {
  const pieces = makePieces()
  const { z, record, checked, settings, path } = pieces
  return settings(
    z.strictObject(
      {
        cwd: path,
        shell: shellSection(pieces),
        sandbox: sandboxSection(pieces),
        subprocess: subprocessSection(pieces),
        jobs: jobsSection(pieces),
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
