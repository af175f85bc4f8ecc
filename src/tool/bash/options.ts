// What the bash tool is made of, checked once when it is made.

import { invalidType } from '../../errors/invalid-input.js'
import type { JobRegistry } from '../../jobs/registry.js'
import type { SandboxPolicyService } from '../../sandbox/policy-service.js'
import type { ShellExecutor } from '../../shell/executor.js'
import { checkKeys, hasFields, isObject } from '../../subprocess/preflight-values.js'
import type { ShellEnvironment } from '../shell-environment.js'

export interface BashToolOptions {
  readonly shell: ShellExecutor
  /** With it every command is a job from its start. Absent: there are no background commands. */
  readonly jobs?: JobRegistry | undefined
  /** Which policy a call gets; needed where `shell` confines. */
  readonly sandboxPolicy?: Pick<SandboxPolicyService, 'policyFor'> | undefined
  /** Gives each command its `DSH_*` variables; absent: none. */
  readonly environment?: Pick<ShellEnvironment, 'collect'> | undefined
  /** Whether a model may ask for background commands; absent: true. Without `jobs` it may not, whatever stands here. */
  readonly background?: boolean | undefined
  /**
   * What becomes of a foreground command that outlasts its `timeoutMs`, where there are jobs: true (the default) leaves it
   * running as the job that it is, and the call answers with the job's id; false ends it, as without jobs.
   */
  readonly promoteOnTimeout?: boolean | undefined
}

/** The options and what follows from them. */
export interface BashSetup {
  readonly shell: ShellExecutor
  readonly jobs: JobRegistry | undefined
  /** Only where `shell` confines. */
  readonly sandboxPolicy: Pick<SandboxPolicyService, 'policyFor'> | undefined
  readonly environment: Pick<ShellEnvironment, 'collect'> | undefined
  readonly background: boolean
  readonly promoteOnTimeout: boolean
}

const known: ReadonlySet<string> = new Set([
  'shell',
  'jobs',
  'sandboxPolicy',
  'environment',
  'background',
  'promoteOnTimeout'
] satisfies (keyof BashToolOptions)[])

function checkPart(option: string, value: unknown, method: string, what: string): void {
  if (value === undefined || (isObject(value) && typeof value[method] === 'function')) return
  throw invalidType(option, value, `must be ${what}`)
}

function checkSwitch(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalidType(option, value, 'must be true or false')
}

/** @throws TypeError that names the option and the value. */
export function readBashOptions(given: BashToolOptions): BashSetup {
  if (!hasFields(given)) throw invalidType('options', given, 'must be an object')
  const options: BashToolOptions = { ...given }
  checkKeys('', options, known)
  const { shell, jobs, sandboxPolicy, environment, background = true, promoteOnTimeout = true } = options
  if (shell === undefined) throw invalidType('shell', shell, 'must be a ShellExecutor')
  checkPart('shell', shell, 'execute', 'a ShellExecutor')
  checkPart('jobs', jobs, 'start', 'a JobRegistry')
  checkPart('sandboxPolicy', sandboxPolicy, 'policyFor', 'a SandboxPolicyService')
  checkPart('environment', environment, 'collect', 'made by shellEnvironment')
  checkSwitch('background', background)
  checkSwitch('promoteOnTimeout', promoteOnTimeout)
  const confines = shell.sandboxMode !== undefined
  if (confines && sandboxPolicy === undefined) {
    throw invalidType('sandboxPolicy', sandboxPolicy, 'must be given, since the shell confines its commands')
  }
  return {
    shell,
    jobs,
    sandboxPolicy: confines ? sandboxPolicy : undefined,
    environment,
    background: background && jobs !== undefined,
    promoteOnTimeout: promoteOnTimeout && jobs !== undefined
  }
}
