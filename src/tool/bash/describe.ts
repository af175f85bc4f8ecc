// What the bash tool says about itself to a model: only what holds for how it is made.

import type { BashSetup } from './options.js'

const always = [
  'Runs a command in a fresh, non-interactive bash without input and returns what it printed.',
  'Nothing of the shell carries over to the next call: use workdir instead of cd.',
  'stdout comes first, stderr in a section of its own; of long output only the end is shown, with the file that holds all of it.',
  'The last line tells an exit code that is not 0, or the signal that ended the command.'
]

const sandboxed =
  'Commands are confined by a sandbox. After a denial, a wider mode for one call can be asked for with sandbox_permissions and justification.'

export function describeBash({ background, promoteOnTimeout, sandboxPolicy }: BashSetup): string {
  return [
    ...always,
    promoteOnTimeout
      ? 'A command that runs longer than timeoutMs goes on as a background job, whose id is returned.'
      : 'A command that runs longer than timeoutMs is ended.',
    ...(background ? ['With run_in_background the call returns the id of a job at once.'] : []),
    ...(sandboxPolicy ? [sandboxed] : [])
  ].join('\n')
}
