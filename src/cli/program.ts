// The grammar of the command line.

import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { addCommandOptions, addSandboxOptions, type CommandOptions, type SandboxedOptions } from './command-options.js'
import { doctor } from './doctor/doctor.js'
import { EXIT_FAILED } from './exit-codes.js'
import { addLimitOptions } from './limit-options.js'
import { addMcpOptions, type McpOptions, mcp } from './mcp.js'
import { printFailure } from './report.js'
import { run } from './run.js'
import { sh } from './sh.js'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const exitStatus = `
Exit status: that of the command; 128 + n if signal n ended it, 124 after a timeout, 125 if quiesce itself failed,
126 if the program cannot be executed, 127 if it was not found. SIGINT, SIGTERM and SIGHUP end the command with all that
it started (a second one at once) and then this process with 128 + n.`

/** @returns the exit status. */
export async function runCli(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('quiesce')
    .description('Runs a command so that it can be ended as a whole, with everything that it started.')
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'quiesce: ')) })
    .addHelpText('after', exitStatus)
  addLimitOptions(addCommandOptions(program.command('run')))
    .summary('run a program with its arguments')
    .description('Runs a program with its arguments, without a shell. A stdin that is no terminal is passed on to it.')
    .usage('[options] -- <program> [argument...]')
    .argument('<program>')
    .argument('[arguments...]')
    .passThroughOptions()
    .addHelpText('after', exitStatus)
    .action(async (name: string, rest: string[], options: CommandOptions) => {
      exitCode = await run([name, ...rest], options)
    })
  addSandboxOptions(addLimitOptions(addCommandOptions(program.command('sh'))))
    .summary('run a command text with bash')
    .description('Runs a command text with bash -c. Its stdin is empty.')
    .argument('<command>')
    .addHelpText('after', exitStatus)
    .action(async (command: string, options: SandboxedOptions) => {
      exitCode = await sh(command, options)
    })
  addMcpOptions(program.command('mcp'))
    .summary('serve the tools to an MCP client over stdio')
    .description(
      'Serves the bash and job tools over stdio to a client of the Model Context Protocol. What they have started is ' +
        'ended when the client is gone. Needs the package @modelcontextprotocol/sdk.'
    )
    .action(async (options: McpOptions) => {
      exitCode = await mcp(version, options)
    })
  program
    .command('doctor')
    .description('Says what this host offers, and why what is missing is missing.')
    .option('--json', 'print the facts as JSON')
    .action(async (options: { json?: boolean }) => {
      exitCode = await doctor(version, options.json === true)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_FAILED
    printFailure(error, false)
    return EXIT_FAILED
  }
  return exitCode
}
