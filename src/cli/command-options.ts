// The options that `run` and `sh` share, and the context that they describe.

import { type Command, Option } from 'commander'
import { type Context, composeContext } from '../context/compose-context.js'
import type { ProviderChoice } from '../context/options.js'
import { maxTimerDelayMs } from '../errors/contract-texts.js'
import type { SandboxMode, SandboxNetwork } from '../sandbox/types.js'
import { defaultShellSettings } from '../shell/settings.js'
import type { RangeKind } from '../subprocess/types.js'
import type { LimitOptions } from './limit-options.js'
import { readBytes, readDuration, readFolder, readPaths, readRanges, readVariable } from './option-values.js'
import { printProblem } from './report.js'

export interface CommandOptions extends LimitOptions {
  readonly cwd?: string
  readonly timeout?: number
  readonly grace?: number
  readonly maxOutput?: number
  readonly provider: ProviderChoice
  readonly range?: RangeKind[]
  readonly leftovers: 'keep' | 'terminate'
  readonly env?: Record<string, string>
  readonly json?: boolean
}

/** Of `sh` alone: a program without a shell is not confined. */
export interface SandboxedOptions extends CommandOptions {
  readonly sandbox?: SandboxMode
  readonly writable?: string[]
  readonly hide?: string[]
  readonly network?: SandboxNetwork
}

export function addSandboxOptions(
  command: Command,
  { sandbox = 'what the command may do to files; the workspace is its working folder' } = {}
): Command {
  return command
    .addOption(new Option('--sandbox <mode>', sandbox).choices(['read-only', 'workspace-write', 'danger-full-access']))
    .option('--writable <path>', 'with workspace-write: one more path to write to; may be repeated', readPaths)
    .option('--hide <path>', 'a path that the sandbox makes unreadable; may be repeated', readPaths)
    .addOption(new Option('--network <which>', 'the network in the sandbox').choices(['host', 'none']))
}

type SandboxFlags = Pick<SandboxedOptions, 'sandbox' | 'writable' | 'hide' | 'network'>

/** An option that would have no effect is an error: a command must not be freer than its line says. */
export function checkSandboxOptions({ sandbox, writable, hide, network }: SandboxFlags): void {
  const confined = sandbox !== undefined && sandbox !== 'danger-full-access'
  if (!confined && (hide !== undefined || network === 'none')) {
    throw new Error("--hide and --network none need --sandbox with 'read-only' or 'workspace-write'")
  }
  if (sandbox !== 'workspace-write' && writable !== undefined) {
    throw new Error('--writable needs --sandbox workspace-write')
  }
}

export function addCommandOptions(command: Command): Command {
  return command
    .option('--cwd <folder>', 'working folder of the command', readFolder)
    .option(
      '--timeout <duration>',
      'end the command after this time: 1500 (ms), 10s, 2m, 1h (default: never)',
      readDuration
    )
    .option('--grace <duration>', `from TERM to KILL (default: ${defaultShellSettings.graceMs} ms)`, readDuration)
    .option(
      '--max-output <bytes>',
      `with --json: kept of each stream, its tail (default: ${defaultShellSettings.maxOutputBytes})`,
      readBytes
    )
    .addOption(new Option('--provider <name>', 'who starts it').choices(['auto', 'native', 'node']).default('auto'))
    .option(
      '--range <kinds>',
      'range kinds that may be used, such as cgroup,group (default: the strongest)',
      readRanges
    )
    .addOption(
      new Option('--leftovers <policy>', 'what outlives the command: ended before the result is made, or after it')
        .choices(['keep', 'terminate'])
        .default('keep')
    )
    .option('--env <NAME=VALUE>', 'a variable for the command; may be repeated', readVariable)
    .option('--json', 'print the whole result as JSON instead of passing the output on')
}

/** No time limit but the one asked for: a cap that is right for an agent's call is a surprise on a command line. */
export function contextFor(options: SandboxedOptions): Context {
  const { sandbox: mode, writable: writableRoots, hide: hiddenPaths, network } = options
  return composeContext({
    cwd: options.cwd,
    sandbox: mode === undefined ? undefined : { mode, writableRoots, hiddenPaths, network },
    shell: { graceMs: options.grace, maxOutputBytes: options.maxOutput, maxTimeoutMs: maxTimerDelayMs },
    subprocess: { provider: options.provider, ranges: options.range },
    onWarning: ({ message }) => printProblem(message)
  })
}
