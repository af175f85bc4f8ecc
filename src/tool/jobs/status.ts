// A job as the job tools tell it: the facts, and the line that every answer ends with.

import type { JobSnapshot, JobState } from '../../jobs/types.js'
import { zod } from '../../validation/zod.js'

export interface JobStatus {
  readonly jobId: string
  readonly state: JobState
  /** How it ended, such as `exit code: 1`. */
  readonly detail?: string | undefined
}

export function statusOf({ id, state, detail }: JobSnapshot): JobStatus {
  return { jobId: id, state, ...(detail !== undefined && { detail }) }
}

/** One line, whatever the detail holds. */
export function statusLine({ state, detail }: Pick<JobStatus, 'state' | 'detail'>): string {
  return detail === undefined ? `[status: ${state}]` : `[status: ${state}, ${detail.replace(/\s+/g, ' ')}]`
}

/** The fields of a status in a schema. */
export function statusFields() {
  const { z } = zod()
  return {
    jobId: z.string(),
    state: z.enum(['running', 'stopping', 'completed', 'killed', 'failed']),
    detail: z.string().optional()
  }
}

/** The field by which a model names a job. */
export function jobIdField() {
  const error = 'must be the id of a job'
  return zod()
    .z.string({ error })
    .refine((id) => id.trim() !== '', { error })
    .describe('Id of the job, such as bash-1.')
}
