// Columns that several tables have.

import type { Lag } from '../measure/event-loop.js'

export const lagColumns = ({ p50, p99, max }: Lag): Record<string, number> => ({
  'lag p50 ms': p50,
  'lag p99 ms': p99,
  'lag max ms': max
})
