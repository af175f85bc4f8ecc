// Everything public of quiesce/tool. Only re-exports.

export { ToolAbortError } from './abort.js'
export { BackgroundUnavailableError } from './bash/background-error.js'
export { type BashTool, bashTool } from './bash/bash-tool.js'
export type { BashToolOptions } from './bash/options.js'
export type * from './bash/types.js'
export { callTool, presentError, type ToolResult } from './call-tool.js'
export { type ContextToolOptions, contextTools, type ToolParts } from './context-tools.js'
export { type JobKillInput, type JobKillOutput, type JobKillTool, jobKillTool } from './jobs/job-kill.js'
export {
  type JobListInput,
  type JobListOutput,
  type JobListTool,
  jobListTool,
  type ListedJob
} from './jobs/job-list.js'
export { type JobOutputInput, type JobOutputOutput, type JobOutputTool, jobOutputTool } from './jobs/job-output.js'
export { jobTools } from './jobs/job-tools.js'
export type { JobToolOptions } from './jobs/options.js'
export type { JobStatus } from './jobs/status.js'
export { type JsonSchema, jsonSchemaOf } from './json-schema.js'
export {
  type ShellEnvironment,
  type ShellEnvironmentContributor,
  type ShellEnvironmentOptions,
  type ShellEnvironmentVariable,
  shellEnvironment
} from './shell-environment.js'
export { type PreparedShellJob, prepareShellJob, type ShellJob } from './shell-job.js'
export type { ExitFields } from './terminal/fields.js'
export type { TerminalToolOptions } from './terminal/options.js'
export {
  type PersistentBashInput,
  type PersistentBashOutput,
  type PersistentBashTool,
  type PersistentBashToolOptions,
  persistentBashTool
} from './terminal/persistent-bash-tool.js'
export {
  type TerminalCloseInput,
  type TerminalCloseOutput,
  type TerminalCloseTool,
  terminalCloseTool
} from './terminal/terminal-close.js'
export {
  type ListedTerminal,
  type TerminalListInput,
  type TerminalListOutput,
  type TerminalListTool,
  terminalListTool
} from './terminal/terminal-list.js'
export {
  type TerminalOpenInput,
  type TerminalOpenOutput,
  type TerminalOpenTool,
  terminalOpenTool
} from './terminal/terminal-open.js'
export {
  type TerminalReadInput,
  type TerminalReadOutput,
  type TerminalReadTool,
  terminalReadTool
} from './terminal/terminal-read.js'
export {
  type TerminalSendInput,
  type TerminalSendOutput,
  type TerminalSendTool,
  terminalSendTool
} from './terminal/terminal-send.js'
export {
  type TerminalSignalInput,
  type TerminalSignalOutput,
  type TerminalSignalTool,
  terminalSignalTool
} from './terminal/terminal-signal.js'
export { type TerminalTools, terminalTools } from './terminal/terminal-tools.js'
export type { Tool, ToolCall, ToolPresentation, ToolSession } from './types.js'
