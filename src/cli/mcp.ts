// `quiesce mcp`: the tools over stdio, for any client of the Model Context Protocol. stdout belongs to the protocol; whatever
// else there is to say goes to stderr. Unlike a command that somebody types, those of a model are confined unless asked otherwise.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { composeContext } from '../context/compose-context.js'
import type { ProviderChoice } from '../context/options.js'
import type { SandboxMode, SandboxNetwork } from '../sandbox/types.js'
import { defaultShellSettings } from '../shell/settings.js'
import type { RangeKind } from '../subprocess/types.js'
import { addSandboxOptions, checkSandboxOptions } from './command-options.js'
import { EXIT_FAILED, exitCodeOfSignal } from './exit-codes.js'
import { Interruption } from './interruption.js'
import { readBytes, readDuration, readFolder, readRanges } from './option-values.js'
import { printFailure, printProblem } from './report.js'

export interface McpOptions {
  readonly cwd?: string
  readonly sandbox?: SandboxMode
  readonly writable?: string[]
  readonly hide?: string[]
  readonly network?: SandboxNetwork
  readonly timeout?: number
  readonly maxTimeout?: number
  readonly grace?: number
  readonly maxOutput?: number
  readonly provider: ProviderChoice
  readonly range?: RangeKind[]
}

const { timeoutMs, maxTimeoutMs, graceMs, maxOutputBytes } = defaultShellSettings
const defaultMode: SandboxMode = 'workspace-write'

export function addMcpOptions(command: Command): Command {
  addSandboxOptions(command.option('--cwd <folder>', 'working folder of commands, and the workspace', readFolder), {
    sandbox: `what commands may do to files (default: ${defaultMode})`
  })
  return command
    .option('--timeout <duration>', `of a command that names none (default: ${timeoutMs} ms)`, readDuration)
    .option('--max-timeout <duration>', `the longest that one may name (default: ${maxTimeoutMs} ms)`, readDuration)
    .option('--grace <duration>', `from TERM to KILL (default: ${graceMs} ms)`, readDuration)
    .option('--max-output <bytes>', `kept of each stream, its tail (default: ${maxOutputBytes})`, readBytes)
    .addOption(new Option('--provider <name>', 'who starts them').choices(['auto', 'native', 'node']).default('auto'))
    .option('--range <kinds>', 'range kinds that may be used (default: the strongest)', readRanges)
}

/** A server whose every command fails for want of its folder is told so at once. */
function checkFolder(path: string): void {
  if (!statSync(path).isDirectory()) throw new Error(`--cwd ${path} is no folder`)
}

function contextOf(options: McpOptions, cwd: string) {
  const { sandbox: mode = defaultMode, writable: writableRoots, hide: hiddenPaths, network } = options
  return composeContext({
    cwd,
    sandbox: { mode, writableRoots, hiddenPaths, network },
    shell: {
      timeoutMs: options.timeout,
      maxTimeoutMs: options.maxTimeout,
      graceMs: options.grace,
      maxOutputBytes: options.maxOutput
    },
    subprocess: { provider: options.provider, ranges: options.range },
    onWarning: ({ message }) => printProblem(message)
  })
}

async function serveUntil(signal: AbortSignal, version: string, options: McpOptions): Promise<void> {
  checkSandboxOptions({ ...options, sandbox: options.sandbox ?? defaultMode })
  const cwd = resolve(options.cwd ?? '.')
  checkFolder(cwd)
  // Neither the tools nor the SDK are of use to the other subcommands.
  const { loadMcpSdk, makeServer, serve, toolsOf } = await import('../mcp/index.js')
  const sdk = await loadMcpSdk()
  const context = contextOf(options, cwd)
  try {
    const server = makeServer(sdk, { version, ...toolsOf(context, cwd) })
    await serve(sdk, server, { stdin: process.stdin, stdout: process.stdout, signal })
  } finally {
    await context.dispose()
  }
}

export async function mcp(version: string, options: McpOptions): Promise<number> {
  const interruption = new Interruption()
  try {
    await serveUntil(interruption.signal, version, options)
  } catch (error) {
    printFailure(error, false)
    return EXIT_FAILED
  }
  return interruption.by === null ? 0 : exitCodeOfSignal(interruption.by)
}
