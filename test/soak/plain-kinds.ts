// Commands that end by themselves.

import { readFileSync, rmSync } from 'node:fs'
import type { ShellOutput } from 'quiesce'
import { endingOf, type Kind, mustEqual, run, type Scene, success } from './attempt.js'
import { maxOutputBytes, maxSpillBytes } from './limits.js'

const short: Kind = {
  weight: 12,
  async attempt(scene) {
    const [word, exitCode] = [scene.random(1e9), scene.random(100)]
    const result = await run(scene, { command: `echo ${word}; echo e${word} >&2; exit ${exitCode}` })
    mustEqual(endingOf(result), { ...success, exitCode, stdout: `${word}\n`, stderr: `e${word}\n` })
  }
}

const long: Kind = {
  weight: 4,
  async attempt(scene) {
    const ms = 200 + scene.random(3000)
    const result = await run(scene, { command: `sleep ${ms / 1000}; echo woken` })
    mustEqual(endingOf(result), { ...success, stdout: 'woken\n' })
    const wallMs = result.usage?.wallMs ?? 0
    if (wallMs < ms) throw new Error(`slept for ${ms} ms within ${wallMs} ms`)
  }
}

/** Compares the stream with `whole`, takes its spill file over and removes it. */
function checkStream({ context }: Scene, output: ShellOutput, whole: Buffer): void {
  const truncated = whole.length > maxOutputBytes
  const spilled = truncated && whole.length <= maxSpillBytes
  const { text, spillPath, ...rest } = output
  mustEqual({ ...rest, spilled: spillPath !== undefined }, { truncated, totalBytes: whole.length, spilled })
  if (text !== whole.subarray(-maxOutputBytes).toString('latin1'))
    throw new Error('the text is not the tail of the stream')
  if (spillPath === undefined) return
  const claimed = context.subprocess.claimSpill(spillPath)
  try {
    mustEqual({ claimed, same: readFileSync(spillPath).equals(whole) }, { claimed: true, same: true })
  } finally {
    rmSync(spillPath, { force: true })
  }
}

const flood: Kind = {
  weight: 4,
  async attempt(scene) {
    // Below and above the cap of spill files.
    const bytes = 1 + scene.random(scene.random(2) === 0 ? maxSpillBytes : 4 * maxSpillBytes)
    const result = await run(scene, { command: `head -c ${bytes} /dev/zero | tr '\\0' x` })
    mustEqual({ ...endingOf(result), stdout: '' }, success)
    checkStream(scene, result.stdout, Buffer.alloc(bytes, 'x'))
  }
}

const stdin: Kind = {
  weight: 4,
  async attempt(scene) {
    const unit = `${scene.random(1e9)} `
    const data = unit.repeat(1 + scene.random(2 * maxOutputBytes) / unit.length)
    const result = await run(scene, { command: 'cat', stdin: data })
    mustEqual({ ...endingOf(result), stdout: '' }, success)
    checkStream(scene, result.stdout, Buffer.from(data))
  }
}

const unreadStdin: Kind = {
  weight: 1,
  async attempt(scene) {
    const result = await run(scene, { command: 'exit 3', stdin: 'x'.repeat(1_000_000) })
    mustEqual(endingOf(result), { ...success, exitCode: 3 })
  }
}

const noFolder: Kind = {
  weight: 1,
  async attempt(scene) {
    const told = await run(scene, { command: 'echo started', workdir: '/no/such/folder' }).catch((error) => error.code)
    mustEqual(told, 'ENOENT')
  }
}

export const plainKinds: Readonly<Record<string, Kind>> = {
  short,
  long,
  flood,
  stdin,
  'unread-stdin': unreadStdin,
  'no-folder': noFolder
}
