// The world outside of one arena: its folders, victims and cage, made again after an attack that changed something.

import { openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { cageSnapshot, isFrozen, restoreCage } from './cage.js'
import { clear, fillFolders, fillWorkspace, otherUid } from './folders.js'
import { filesSnapshot, type Snapshot } from './snapshot.js'
import type { ArenaTask } from './task.js'
import { Victim } from './victims.js'

export class Outside {
  private victims: Readonly<Record<string, Victim>> = {}
  private readonly disk: number
  private signals = 0

  constructor(
    private readonly task: ArenaTask,
    private readonly secret: string
  ) {
    this.disk = openSync(task.disk.path, 'r+')
    process.on('SIGUSR2', () => {
      this.signals += 1
    })
  }

  /** As if no attack had been made. */
  async restore(): Promise<void> {
    const { task, secret } = this
    await this.end()
    writeSync(this.disk, Buffer.alloc(4096, secret + '\0'.repeat(4096 - secret.length), 'latin1'), 0, 4096, 0)
    clear('/dev/shm')
    fillFolders(task, secret)
    const start = (role: 'plain' | 'bare' | 'shares', uid = task.uid): Promise<Victim> =>
      Victim.start(role, uid, secret)
    const [VICTIM, BARE, OTHER] = await Promise.all([start('shares'), start('bare'), start('plain', otherUid)])
    this.victims = { VICTIM, BARE, OTHER }
    if (task.cage !== null) {
      restoreCage(task.cage.folder, task.uid)
      const CAGED = await start('plain')
      this.victims = { ...this.victims, CAGED }
      writeFileSync(join(task.cage.folder, 'cgroup.procs'), `${CAGED.pid}`)
    }
    this.signals = 0
  }

  /** After an attack that changed nothing outside, but maybe the workspace. */
  restoreWorkspace(): void {
    fillWorkspace(this.task, this.secret)
  }

  /** Where everything is, by the names that attacks know it by. */
  targets(): Record<string, string> {
    const pids = Object.entries(this.victims).map(([name, { pid }]) => [name, `${pid}`])
    return { ...this.victims.VICTIM?.facts, ...Object.fromEntries(pids) }
  }

  async snapshot(): Promise<Snapshot> {
    const { task } = this
    const all: Record<string, string> = { ...filesSnapshot(task.mode, this.disk) }
    if (task.cage !== null) Object.assign(all, cageSnapshot(task.cage.folder))
    for (const [name, victim] of Object.entries(this.victims)) {
      const asleep = name === 'CAGED' && task.cage !== null && isFrozen(task.cage.folder)
      const state = await victim.state(asleep)
      for (const [fact, value] of Object.entries(state)) all[`${fact} of ${name}`] = value
    }
    return { ...all, 'signals to the host': `${this.signals}` }
  }

  async end(): Promise<void> {
    await Promise.all(Object.values(this.victims).map((victim) => victim.end()))
    this.victims = {}
  }
}
