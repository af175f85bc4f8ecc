// How long work held the event loop, without the time for which other processes of the machine held the processor.

import { readFileSync } from 'node:fs'

/** Time that this thread could have run and did not get a processor (proc(5), schedstat: the second figure), in ms. */
function waitedMs(): number {
  const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1')
  return Number(text.split(' ')[1]) / 1e6
}

/** The longest turn of the event loop while `work` ran. Only on the main thread. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const now = (): number => performance.now() - waitedMs()
  let last = now()
  let longest = 0
  const timer = setInterval(() => {
    const at = now()
    longest = Math.max(longest, at - last)
    last = at
  }, 1)
  await work()
  clearInterval(timer)
  return longest
}
