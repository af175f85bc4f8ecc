// One command in a transient scope of the user's systemd manager: systemd-run moves itself into the scope and becomes the
// bootstrap, which becomes the command, all in the process that child_process started. systemd removes the scope when it
// has become empty.

import * as fs from 'node:fs'
import { constants } from 'node:os'
import { SubprocessError } from '../../../errors/subprocess-error.js'
import { cgroupPath, folderOf } from '../../local/cgroup-mount.js'
import { randomHex } from '../../local/spill-folder.js'
import { type Launch, type LaunchedAs, rangeError } from '../launch.js'
import { openNameless } from '../nameless-file.js'
import { type ProcessTree, processTree } from '../process-tree.js'
import { type StartedFrom, startError } from '../start-error.js'
import { bootstrapArgv, type Request, readNote, requestDescriptor, requestText } from './bootstrap.js'
import { cgroupMount } from './mounted.js'
import { programFault } from './program-fault.js'
import { ScopeFolder } from './scope-folder.js'
import { ScopeTree } from './scope-tree.js'
import type { ScopeUnits } from './scope-units.js'
import { clientEnvironment } from './user-manager.js'

/** What a scope needs to know of a command. */
export interface ScopedCommand extends StartedFrom, Request {}

export interface ScopeResources {
  /** The request is written into the first that takes it. */
  readonly tempDirs: readonly string[]
  readonly units: ScopeUnits
  /** Told that there is no scope for a command. */
  readonly refused: () => void
}

export class ScopeLaunch implements Launch {
  readonly range = 'scope'
  readonly unit = `quiesce-${process.pid}-${randomHex()}.scope`
  readonly #command: ScopedCommand
  readonly #resources: ScopeResources
  #fd: number | null = null
  #requestBytes = 0
  #note: string | null = null
  #folder: ScopeFolder | null = null

  constructor(command: ScopedCommand, resources: ScopeResources) {
    this.#command = command
    this.#resources = resources
  }

  prepare(): LaunchedAs {
    const code = programFault(this.#command)
    // systemd-run would start all the same, and the shell in the scope could only tell by a status and a message.
    if (code !== null) throw startError(Object.assign(new Error(), { code, errno: -errnoOf(code) }), this.#command)
    const text = requestText(this.#command)
    this.#requestBytes = Buffer.byteLength(text)
    this.#fd = this.#open(text)
    this.#resources.units.asked(this.unit)
    const options = ['--user', '--scope', '--quiet', '--collect', `--unit=${this.unit}`]
    return {
      argv: ['systemd-run', ...options, '--', ...bootstrapArgv],
      environment: clientEnvironment(),
      request: { fd: this.#fd, as: requestDescriptor }
    }
  }

  refused(error: Error): Error {
    const told = startError(error, this.#command)
    if (!(told instanceof SubprocessError) || told.stage !== 'exec') return told
    // It was systemd-run that could not be executed.
    this.#resources.refused()
    return rangeError(this.#command, -told.errno, 'systemd-run')
  }

  tree(pid: number, exited: () => boolean, unkillable: (error: Error) => void): ProcessTree {
    return new ScopeTree({ group: processTree(pid, exited), exited, scope: () => this.folder, unkillable })
  }

  end(): (() => Error) | null {
    const { started } = this
    if (this.#fd !== null) fs.closeSync(this.#fd)
    this.#fd = null
    if (!started) this.#resources.units.neverBegun(this.unit)
    return started ? null : () => this.#neverBegan()
  }

  /** The bootstrap has run; whatever the process does from then on, it is the command that does it. */
  get started(): boolean {
    if (this.#note === null && this.#fd !== null) {
      this.#note = readNote(this.#fd, this.#requestBytes)
      if (this.#note !== null) this.#resources.units.begun(this.unit)
    }
    return this.#note !== null
  }

  /** Null until the command has been started. */
  get folder(): ScopeFolder | null {
    if (this.#folder === null && this.started) this.#folder = folderNamedIn(this.#note ?? '')
    return this.#folder
  }

  #neverBegan(): Error {
    this.#resources.refused()
    return rangeError(this.#command, constants.errno.EIO, this.unit)
  }

  #open(text: string): number {
    try {
      return openNameless(text, this.#resources.tempDirs, 'a+')
    } catch (error) {
      const { errno = -constants.errno.EIO, path } = error as NodeJS.ErrnoException
      throw rangeError(this.#command, Math.abs(errno), path)
    }
  }
}

function folderNamedIn(note: string): ScopeFolder | null {
  const path = cgroupPath(note)
  const mount = cgroupMount()
  const folder = path === null || mount === null ? null : folderOf(path, mount)
  return folder === null ? null : new ScopeFolder(folder)
}

function errnoOf(code: string): number {
  return (constants.errno as Readonly<Record<string, number>>)[code] ?? constants.errno.EIO
}
