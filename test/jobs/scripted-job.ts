// A job that does what the test says.

import type { JobHooks, JobOutcome, JobOutput, JobSpec } from '../../src/jobs/types.js'

export class ScriptedJob implements JobHooks {
  readonly reasons: string[] = []
  readonly ids: string[] = []
  readonly done: Promise<JobOutcome>
  output: JobOutput | undefined
  settle!: (outcome: JobOutcome) => void
  reject!: (error: unknown) => void
  /** What `cancel` does beside noting its reason. */
  onCancel: (reason: string) => void = () => {}

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.settle = resolve
      this.reject = reject
    })
  }

  cancel(reason: string): void {
    this.reasons.push(reason)
    this.onCancel(reason)
  }

  spec(more: Partial<Omit<JobSpec, 'run'>> = {}): JobSpec {
    const run = (id: string): JobHooks => {
      this.ids.push(id)
      return this
    }
    return { kind: 'work', label: 'some work', ...more, run }
  }
}

/** One that ends at once when it is cancelled. */
export function obedientJob(): ScriptedJob {
  const job = new ScriptedJob()
  job.onCancel = () => job.settle({ state: 'killed', detail: 'as asked' })
  return job
}

export const completed: JobOutcome = { state: 'completed', detail: 'exit code: 0' }
