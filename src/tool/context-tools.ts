// All tools that a context has the parts for, in one call.

import { invalidType } from '../errors/invalid-input.js'
import type { JobRegistry } from '../jobs/registry.js'
import type { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { ShellExecutor } from '../shell/executor.js'
import { hasFields } from '../subprocess/preflight-values.js'
import { bashTool } from './bash/bash-tool.js'
import type { BashToolOptions } from './bash/options.js'
import { jobTools } from './jobs/job-tools.js'
import type { Tool } from './types.js'

/** What tools work on: a context, or parts that were composed by hand. */
export interface ToolParts {
  readonly shell: ShellExecutor
  readonly jobs?: JobRegistry | undefined
  readonly sandboxPolicy?: SandboxPolicyService | undefined
}

export type ContextToolOptions = Omit<BashToolOptions, keyof ToolParts>

/**
 * `bash`, and where there are jobs `job_output`, `job_list` and `job_kill`.
 * @throws TypeError that names the option and the value.
 */
export function contextTools(context: ToolParts, options: ContextToolOptions = {}): readonly Tool[] {
  if (!hasFields(context)) throw invalidType('context', context, 'must be an object')
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  const { shell, jobs, sandboxPolicy } = context
  const bash = bashTool({ ...options, shell, jobs, sandboxPolicy })
  return jobs === undefined ? [bash] : [bash, ...jobTools({ jobs })]
}
