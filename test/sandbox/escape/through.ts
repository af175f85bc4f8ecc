// Which attacks got through, by what was seen from outside.

import type { AttackReport } from './arena/task.js'
import type { Attack } from './attack-list.js'

/**
 * The names of those that changed something or printed the secret, and of those that aim at the machine itself and had
 * success by their own word.
 * @throws if an attack was not really made: then it proves nothing.
 */
export function through(attacks: readonly Attack[], reports: readonly AttackReport[]): string[] {
  const idle = reports.filter(({ began }) => !began)
  if (idle.length > 0) throw new Error(`not made: ${idle.map(({ name, said }) => `${name}: ${said}`).join('; ')}`)
  const byName = new Map(reports.map((report) => [report.name, report]))
  return attacks
    .filter(({ name, sign }) => {
      const report = byName.get(name)
      if (report === undefined) throw new Error(`there is no report of ${name}`)
      return report.evidence.length > 0 || (sign === 'word' && report.claims)
    })
    .map(({ name }) => name)
}
