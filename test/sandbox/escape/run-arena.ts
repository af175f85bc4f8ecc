// Runs attacks in disposable namespaces, in as many arenas as they use up, and gathers what each of them changed.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import type { ArenaTask, AttackReport } from './arena/task.js'
import type { Confinement } from './backends.js'
import { arenaProgram, attackProgram, hostParts, victimProgram, withKeyProgram } from './programs.js'
import type { Surroundings } from './surroundings.js'

/** Of one arena, whatever happens in it. */
const longestMs = 240_000

const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child', '--mount-proc']

/** Those of this process and, where it may be looked at, of process 1: of the machine or of the container. */
function namespacesOfMachine(kind: string): string {
  const own = readlinkSync(`/proc/self/ns/${kind}`)
  try {
    return `${own} ${readlinkSync(`/proc/1/ns/${kind}`)}`
  } catch {
    return own
  }
}

async function runOne(task: ArenaTask): Promise<AttackReport[]> {
  const inner = [withKeyProgram(), process.execPath, arenaProgram(), JSON.stringify(task)]
  const child = spawn('unshare', [...namespaces, '--propagation', 'private', '--', ...inner], {
    env: { PATH: process.env.PATH, ARENA_SECRET: `secret-${randomUUID()}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL'
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`the arena ended with ${exitCode}: ${errors}${output.slice(-400)}`)
  const lines = output.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as AttackReport)
}

/** Every attack once, in the order given. */
export async function runArenas(
  confinement: Confinement,
  attacks: readonly string[],
  { disk, cage }: Surroundings
): Promise<readonly AttackReport[]> {
  const [mnt = '', pid = '', net = ''] = ['mnt', 'pid', 'net'].map(namespacesOfMachine)
  const programs = { attack: attackProgram(), victim: victimProgram() }
  const host = confinement.backend === 'none' ? null : hostParts()
  const reports: AttackReport[] = []
  while (reports.length < attacks.length) {
    const { backend, mode, uid } = confinement
    const rest = attacks.slice(reports.length)
    const more = await runOne({
      backend,
      mode,
      uid,
      attacks: rest,
      machine: { mnt, pid, net },
      programs,
      host,
      disk,
      cage
    })
    if (more.length === 0) throw new Error('the arena made no attack')
    reports.push(...more)
  }
  return reports
}
