// The registry of this process. It owns no processes: a job is what its hooks do, and this class knows who started it, in
// which state it is, who may see it, and that it ends.

import { invalidType } from '../errors/invalid-input.js'
import { disposedRegistry, foreignJob, tooManyJobs, unknownJob, unservedOwner } from '../errors/job-error.js'
import { readOutcome, takeHooks, textOf } from './hooks.js'
import { JobIds } from './job-ids.js'
import { JobRecord } from './job-record.js'
import { type LocalJobOptions, readJobOptions } from './options.js'
import { OwnerBooks } from './owner-books.js'
import { readOutput } from './read-output.js'
import { JobRegistry } from './registry.js'
import { Reports } from './reports.js'
import {
  checkAnnouncement,
  checkId,
  checkOwner,
  readAccess,
  readAnnouncement,
  readKillRequest,
  readReadRequest,
  readWaitRequest
} from './requests.js'
import { endJobs } from './teardown.js'
import type {
  JobAccess,
  JobAnnouncement,
  JobHooks,
  JobKill,
  JobKillRequest,
  JobListener,
  JobOutcome,
  JobOwner,
  JobRead,
  JobReadRequest,
  JobSnapshot,
  JobSpec,
  JobWaitRequest
} from './types.js'
import { waitForEnd } from './wait-for-end.js'

const beginning = Object.freeze({ stdout: 0, stderr: 0 })

export class LocalJobRegistry extends JobRegistry {
  readonly #options: ReturnType<typeof readJobOptions>
  readonly #ids = new JobIds()
  readonly #books: OwnerBooks
  readonly #reports: Reports
  /** All that are known, oldest first. */
  readonly #records = new Map<string, JobRecord>()
  readonly #endingOwners = new Map<JobOwner, Promise<void>>()
  #disposal: Promise<void> | undefined

  /** @throws TypeError or RangeError that names the option and the value. */
  constructor(options: LocalJobOptions = {}) {
    super()
    this.#options = readJobOptions(options)
    this.#books = new OwnerBooks(this.#options.maxEndedPerOwner)
    this.#reports = new Reports(this.#options.onWarning)
  }

  preflight(spec: JobAnnouncement): void {
    this.#admit(spec)
  }

  start(spec: JobSpec): JobSnapshot {
    const announcement = this.#admit(spec)
    const { run } = spec
    if (typeof run !== 'function') throw invalidType('spec.run', run, 'must be a function')
    return this.#run(announcement, (id) => run.call(spec, id)).snapshot
  }

  get(id: string, access?: JobAccess): JobSnapshot {
    return this.#find(id, readAccess(access)).snapshot
  }

  list(access?: JobAccess): readonly JobSnapshot[] {
    const { owner } = readAccess(access)
    const visible = [...this.#records.values()].filter((record) => mayKnow(record, owner))
    return visible.map(({ snapshot }) => snapshot)
  }

  read(id: string, request?: JobReadRequest): JobRead {
    const wanted = readReadRequest(request)
    const record = this.#find(id, wanted)
    const { output } = record
    const read = readOutput(output ?? record.finalOutput, wanted.from, wanted.maxBytes ?? record.outputLimitBytes)
    if (!record.isActive) record.reported = true
    // What was said in the end may be asked for as often as anybody likes.
    const next = output === undefined && !read.more ? beginning : read.next
    return { job: record.snapshot, ...read, next, notes: this.#notesOf(record) }
  }

  async wait(id: string, request?: JobWaitRequest): Promise<JobSnapshot> {
    const wanted = readWaitRequest(request)
    const record = this.#find(id, wanted)
    await waitForEnd(record, wanted)
    if (!record.isActive) record.reported = true
    return record.snapshot
  }

  kill(id: string, request?: JobKillRequest): JobKill {
    const wanted = readKillRequest(request)
    const record = this.#find(id, wanted)
    const wasActive = record.isActive
    if (wasActive) record.cancel(wanted.reason ?? 'killed')
    record.reported = true
    return wasActive ? 'requested' : 'already-finished'
  }

  forget(id: string, access?: JobAccess): boolean {
    const record = this.#find(id, readAccess(access))
    if (record.isActive) return false
    this.#drop(record)
    return true
  }

  onCompletion(listener: JobListener): () => void {
    if (typeof listener !== 'function') throw invalidType('listener', listener, 'must be a function')
    return this.#reports.listen(listener)
  }

  disposeOwner(owner: JobOwner): Promise<void> {
    checkOwner('owner', owner)
    const ending = this.#endingOwners.get(owner)
    if (ending !== undefined) return ending
    const end = this.#end((record) => record.owner === owner, 'its owner is gone')
    const ended = end.finally(() => this.#endingOwners.delete(owner))
    this.#endingOwners.set(owner, ended)
    return ended
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#end(() => true, 'the job registry is being disposed')
    return this.#disposal
  }

  /** Throws what is wrong with a job that is announced so, in the order that the contract of `start` gives. */
  #admit(spec: JobAnnouncement): JobAnnouncement {
    const announcement = readAnnouncement(spec)
    const { owner } = announcement
    if (this.#disposal !== undefined) throw disposedRegistry()
    const { serves, maxActivePerOwner } = this.#options
    if (serves !== undefined && serves(owner) !== true) throw unservedOwner(owner, false)
    checkAnnouncement(announcement)
    if (owner !== undefined && this.#endingOwners.has(owner)) throw unservedOwner(owner, true)
    const activeCount = this.#books.activeCount(owner)
    if (activeCount >= maxActivePerOwner) throw tooManyJobs(owner, activeCount)
    return announcement
  }

  /** The place and the number are taken first: `run` may start jobs of its own. */
  #run(announcement: JobAnnouncement, run: (id: string) => JobHooks): JobRecord {
    const { kind, owner, outputLimitBytes = this.#options.outputLimitBytes } = announcement
    const id = this.#ids.take(kind)
    this.#books.began(owner)
    try {
      const taken = takeHooks(run(id))
      const record = new JobRecord(id, announcement, outputLimitBytes, taken)
      this.#records.set(id, record)
      taken.done.then(
        (outcome) => this.#ended(record, outcome),
        (error: unknown) => this.#failed(record, textOf(error))
      )
      return record
    } catch (error) {
      this.#ids.giveBack(kind, id)
      this.#books.cameToNothing(owner)
      throw error
    }
  }

  #find(id: string, { owner }: JobAccess): JobRecord {
    checkId(id)
    const record = this.#records.get(id)
    if (record === undefined) throw unknownJob(id, this.#ids.wasTaken(id))
    if (!mayKnow(record, owner)) throw foreignJob(id)
    return record
  }

  #notesOf(record: JobRecord): readonly string[] {
    try {
      return [...record.notes()].map(String)
    } catch (error) {
      // What it printed must be had even so.
      this.#reports.warn('QUIESCE_JOB_FAILED', `the notes of job ${record.id} cannot be had: ${textOf(error)}`)
      return []
    }
  }

  #ended(record: JobRecord, given: JobOutcome): void {
    const outcome = readOutcome(given)
    if (outcome === null) this.#failed(record, 'it ended without an outcome')
    else this.#settle(record, outcome)
  }

  #failed(record: JobRecord, reason: string): void {
    if (!this.#settle(record, { state: 'failed', detail: reason })) return
    this.#reports.warn('QUIESCE_JOB_FAILED', `job ${record.id} failed: ${reason}`)
  }

  #giveUp(record: JobRecord, reason: string): void {
    const detail = `${reason}; its work may be orphaned`
    if (!this.#settle(record, { state: 'failed', detail })) return
    this.#reports.warn('QUIESCE_JOB_ORPHANED', `job ${record.id} was given up: ${detail}`)
  }

  #settle(record: JobRecord, outcome: JobOutcome): boolean {
    if (!record.settle(outcome)) return false
    const surplus = this.#books.ended(record)
    if (surplus !== undefined) this.#records.delete(surplus.id)
    this.#reports.ended(record.snapshot)
    return true
  }

  #drop(record: JobRecord): void {
    this.#records.delete(record.id)
    this.#books.dropped(record)
  }

  /** One turn later: until then a job that is just being started has its record, and whoever calls this has its promise. */
  async #end(belongs: (record: JobRecord) => boolean, reason: string): Promise<void> {
    await Promise.resolve()
    const all = (): JobRecord[] => [...this.#records.values()].filter(belongs)
    const active = (): JobRecord[] => all().filter(({ isActive }) => isActive)
    await endJobs(active, reason, this.#options.disposeTimeoutMs, (record, why) => this.#giveUp(record, why))
    for (const record of all()) this.#drop(record)
  }
}

function mayKnow(record: JobRecord, asker: JobOwner | undefined): boolean {
  return record.owner === undefined || record.owner === asker
}
