// `quiesce doctor`: what this host offers, as text for people or as JSON.

import type { SandboxBackendState } from '../../sandbox/local/local-provider.js'
import { printJson, printText } from '../report.js'
import type { CgroupFacts } from './cgroup-facts.js'
import { type HostFacts, hostFacts } from './host-facts.js'

export async function doctor(version: string, json: boolean): Promise<number> {
  const facts = await hostFacts(version)
  if (json) printJson(facts)
  else printText(describe(facts).join('\n'))
  return 0
}

function describeCgroup({ mount, folder, writable, kill }: CgroupFacts): string {
  if (mount === null) return 'not mounted'
  if (folder === null) return `mounted at ${mount}; this process has no folder below it`
  const rights = writable ? 'writable' : 'not writable'
  const killing = kill === null ? '' : kill ? ', has cgroup.kill' : ', without cgroup.kill'
  return `mounted at ${mount}; folder of this process ${folder}, ${rights}${killing}`
}

/** The lines of a text, the first after a name and the others below it. */
function indented(text: string): string {
  return text.replace(/\n */g, `\n${' '.repeat(11)}`)
}

function describeBackend({
  backend,
  enforcement,
  notGoverned,
  warnings,
  reason,
  remedy
}: SandboxBackendState): string[] {
  const state = enforcement === null ? `cannot be used: ${reason}` : enforcement
  const gaps = notGoverned.length === 0 ? '' : `: not governed: ${notGoverned.join('; ')}`
  const more = remedy === undefined ? warnings : [remedy, ...warnings]
  return [`           ${backend}: ${indented(state + gaps)}`, ...more.map((line) => `             ${line}`)]
}

function describe(facts: HostFacts): string[] {
  const { addon, features } = facts.native
  return [
    `quiesce    ${facts.version}`,
    `node       ${facts.node} on ${facts.platform}`,
    `kernel     ${facts.kernel}`,
    `cgroup v2  ${describeCgroup(facts.cgroup)}`,
    `addon      ${'path' in addon ? addon.path : indented(addon.error)}`,
    ...Object.entries(features).map(([name, offered]) => `           ${name}: ${offered ? 'yes' : 'no'}`),
    `provider   ${facts.provider}`,
    `range      ${facts.range.kind}`,
    ...facts.range.reasons.map(({ kind, reason }) => `           not ${kind}: ${reason}`),
    `sandbox    ${facts.sandbox.backend ?? 'none'} (${facts.sandbox.mode} in ${facts.sandbox.workspaceRoot})`,
    ...facts.sandbox.backends.flatMap(describeBackend),
    ...facts.warnings.map((warning) => `warning    ${warning}`)
  ]
}
