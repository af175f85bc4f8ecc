// Tells whether an output is up to date: a digest over path, size and time of every input, kept beside the build.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

const stampPath = (name) => join(root, 'build', 'stamps', name)

function filesBelow(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap((entry) => filesBelow(join(path, entry)))
}

function digest(inputs) {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(filesBelow)) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/**
 * Runs `build` (which gives an exit status) unless all `outputs` exist and no input changed since its last success.
 * The digest is taken before the build, so an edit during the build makes the next call build again.
 */
export async function refresh({ name, inputs, outputs, build }) {
  const now = digest(inputs)
  const stamp = stampPath(name)
  const known = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (known === now && outputs.every((path) => existsSync(join(root, path)))) return 0
  const status = await build()
  if (status === 0) {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, now)
  }
  return status
}
