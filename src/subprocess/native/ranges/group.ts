// The process group of each command, which every host has.

import type { RangeCandidate } from './candidate.js'

export const groupRange: RangeCandidate = {
  kind: 'group',
  probe: () => ({ options: { kind: 'group' } })
}
