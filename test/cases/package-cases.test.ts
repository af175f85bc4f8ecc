// Cases about the package itself: their commands run on the packed tarball, through every provider.

import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import type { SubprocessOptions } from '../../src/context/options.js'
import { addonPath, install, pack, temporaryFolder } from '../package/packed.js'
import { caseOnProviders } from './on-providers.js'
import { type Observation, runOnce } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

const folder = temporaryFolder()
const tarball = pack(folder)

async function perform(command: string, cwd: string, subprocess: SubprocessOptions): Promise<Observation> {
  await using context = await createContext({ subprocess })
  const { execution: _, ...seen } = await runOnce(context, { command, workdir: cwd })
  return { ...seen, survivors: [] }
}

/** Installed while nothing but Node was on the PATH. */
const project = ((): string => {
  const { PATH } = process.env
  const bare = join(folder, 'bare-path')
  mkdirSync(bare)
  symlinkSync(process.execPath, join(bare, 'node'))
  const npm = (PATH ?? '').split(':').map((place) => join(place, 'npm'))
  symlinkSync(npm.map(realpathOrNull).find((path) => path !== null) ?? 'npm', join(bare, 'npm'))
  process.env.PATH = bare
  try {
    return install(folder, tarball)
  } finally {
    process.env.PATH = PATH
  }
})()

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

caseOnProviders('B47', ({ command }, subprocess) =>
  perform(command.replace('<our package>', 'quiesce'), project, subprocess)
)

caseOnProviders('B48', async ({ command }, subprocess) => {
  const seen = await perform(command.replace('<our package>.tgz', tarball), folder, subprocess)
  const modes = (seen.result?.stdout.text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(1, 10))
  expect(modes.length).toBeGreaterThan(0)
  const octal = (mode: string): string =>
    [0, 3, 6]
      .map((at) => [...mode.slice(at, at + 3)].reduce((sum, letter) => 2 * sum + Number(letter !== '-'), 0))
      .join('')
  return { ...seen, measured: { allExecutableFilesMode: [...new Set(modes.map(octal))].join() } }
})

caseOnProviders('B50', ({ command }, subprocess) =>
  perform(command.replace('<our>.node', addonPath), folder, subprocess)
)
