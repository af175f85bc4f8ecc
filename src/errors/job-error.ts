// The error of a job that cannot be started, found or waited for, with the sentences of each.

export type JobErrorCode =
  /** No job has that id, or it has ended and is no longer kept. */
  | 'JOB_UNKNOWN'
  /** It belongs to another owner than the one who asks. */
  | 'JOB_FOREIGN'
  /** The owner has as many active jobs as it may have. */
  | 'JOB_LIMIT'
  /** The registry starts nothing for this owner. */
  | 'JOB_OWNER_UNSERVED'
  | 'JOB_REGISTRY_DISPOSED'
  /** Only the wait has ended; `cause` is the reason of its signal. */
  | 'WAIT_ABORTED'

export class JobError extends Error {
  readonly code: JobErrorCode
  /** `undefined` where no job exists that it could be about. */
  readonly jobId: string | undefined

  constructor(code: JobErrorCode, message: string, jobId?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'JobError'
    this.code = code
    this.jobId = jobId
  }
}

const named = (owner: string | undefined): string =>
  owner === undefined ? 'jobs without an owner' : `owner ${JSON.stringify(owner)}`

export function unknownJob(id: string, hasExisted: boolean): JobError {
  const reason = hasExisted ? ': it has ended and is no longer kept' : ''
  return new JobError('JOB_UNKNOWN', `no job ${id}${reason}`, id)
}

export function foreignJob(id: string): JobError {
  return new JobError('JOB_FOREIGN', `job ${id} belongs to another session`, id)
}

export function tooManyJobs(owner: string | undefined, activeCount: number): JobError {
  const remedy = 'wait for one to end, or kill one'
  return new JobError('JOB_LIMIT', `cannot start a job: ${activeCount} of ${named(owner)} are active; ${remedy}`)
}

export function unservedOwner(owner: string | undefined, isEnding: boolean): JobError {
  const reason = isEnding ? 'is being disposed' : owner === undefined ? 'are not served' : 'is not served'
  return new JobError('JOB_OWNER_UNSERVED', `cannot start a job: ${named(owner)} ${reason}`)
}

export function disposedRegistry(): JobError {
  return new JobError('JOB_REGISTRY_DISPOSED', 'cannot start a job: the job registry has been disposed')
}

export function waitAborted(id: string, reason: unknown): JobError {
  return new JobError('WAIT_ABORTED', 'wait aborted', id, { cause: reason })
}
