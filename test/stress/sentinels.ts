// Bystanders that tell every signal that reaches them: processes with the numbers of commands that have gone, where this
// machine lets one choose numbers, and with numbers right between those of commands.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { compiledFixture } from '../fixtures/compiled.js'
import { until } from '../subprocess/behaviour/observe.js'

export class Sentinels {
  readonly #program: ChildProcess
  #told = ''

  constructor() {
    this.#program = spawn(compiledFixture('sentinel'), { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#program.stdout?.setEncoding('latin1').on('data', (text: string) => {
      this.#told += text
    })
  }

  /** A bystander with this number, as soon as it is free, or with the next one. */
  take(pid: number | 'next'): void {
    this.#program.stdin?.write(`${pid === 'next' ? 0 : pid}\n`)
  }

  /** Numbers that bystanders have had so far. */
  get taken(): number[] {
    return this.#lines('taken').map((line) => Number.parseInt(line, 10))
  }

  /** Numbers that could not be had: somebody else has them, or nobody may choose. */
  get refused(): number[] {
    return this.#lines('refused').map((line) => Number.parseInt(line, 10))
  }

  /** What reached them: `<number> got <signal>`. */
  get signals(): string[] {
    return this.#lines('got')
  }

  /** Ends all of them. */
  async end(): Promise<void> {
    const closed = once(this.#program, 'close')
    this.#program.stdin?.end()
    await closed
  }

  #lines(word: string): string[] {
    return this.#told.split('\n').filter((line) => line.split(' ')[1] === word)
  }
}

/** Whether this machine lets one choose the number of a process: the kernel must offer it, and only root may. */
export async function canChooseNumbers(): Promise<boolean> {
  const sentinels = new Sentinels()
  // Somebody else may be faster with one of them.
  for (let attempt = 1; attempt <= 3; attempt++) {
    sentinels.take(spawnSync('true').pid)
    await until(() => sentinels.taken.length + sentinels.refused.length === attempt)
  }
  await sentinels.end()
  return sentinels.taken.length > 0
}
