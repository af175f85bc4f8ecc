// cmake-js and node-gyp build the same addon and the same programs: the same sources, with the same flags that matter.

import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourceFiles } from '../setup/source-imports.js'
import { withAddon } from './packed.js'

interface GypTarget {
  readonly target_name: string
  readonly sources: readonly string[]
  readonly defines?: readonly string[]
  readonly cflags_cc: readonly string[]
  readonly ldflags: readonly string[]
}

const targets: readonly GypTarget[] = JSON.parse(readFileSync(join(root, 'binding.gyp'), 'utf8')).targets

/** What gyp does with `<!@(command)`: runs it and takes its words. */
function expand(value: string): string[] {
  const command = /^<!@\((.*)\)$/.exec(value)?.[1]
  return command === undefined ? [value] : execSync(command, { cwd: root, encoding: 'utf8' }).trim().split(/\s+/)
}

/** A file that two of them share is there twice. */
const gypSources = targets.flatMap(({ sources }) => sources.flatMap(expand)).sort()

/** File and flags of every compilation in the CMake build. */
function cmakeCompilations(): { file: string; flags: string[] }[] {
  const commands = JSON.parse(readFileSync(join(root, 'build/compile_commands.json'), 'utf8'))
  return commands.map(({ file, command }: { file: string; command: string }) => ({
    file: relative(root, file),
    flags: command.split(/\s+/)
  }))
}

const important = (flags: readonly string[]): string[] =>
  flags.filter((flag) => /^-(?:std=|fvisibility|fno-exceptions|fno-rtti|W)/.test(flag)).sort()

describe('the two builds', () => {
  it('compile every source file of native', () => {
    expect([...new Set(gypSources)]).toEqual(sourceFiles('native', '.cc'))
  })

  it('put nothing of Node into the programs, and none of their own files into the addon', () => {
    const [addon, runner, supervisor] = targets.map(({ sources }) => sources.flatMap(expand))
    expect({
      addon: addon?.filter((path) => /^native\/(?:runner|supervisor)\//.test(path)),
      runner: runner?.filter((path) => path.startsWith('native/addon/')),
      // Only its own: the others use libc.
      supervisor: supervisor?.filter((path) => !path.startsWith('native/supervisor/'))
    }).toEqual({ addon: [], runner: [], supervisor: [] })
  })

  withAddon('compile the same sources', () => {
    const files = cmakeCompilations().map(({ file }) => file)
    expect(files.sort()).toEqual(gypSources)
  })

  withAddon('use the same standard, visibility and warnings', () => {
    const known = new Set(targets.map(({ cflags_cc }) => important(cflags_cc).join(' ')))
    const different = cmakeCompilations().filter(({ flags }) => !known.has(important(flags).join(' ')))
    // The supervisor is built without exceptions.
    expect({ different, kinds: known.size }).toEqual({ different: [], kinds: 2 })
  })

  withAddon('define the same for the Node-API part', () => {
    const ours = cmakeCompilations().filter(({ file }) => file.startsWith('native/addon/'))
    const defines = ours.map(({ flags }) =>
      flags.flatMap((flag) => /^-D((?:NAPI|NODE_ADDON|NODE_API)_.*)$/.exec(flag)?.[1] ?? []).sort()
    )
    expect(defines).toEqual(ours.map(() => [...(targets[0]?.defines ?? [])].sort()))
  })

  it('link the C++ library statically, and the supervisor without any', () => {
    const text = readFileSync(join(root, 'CMakeLists.txt'), 'utf8')
    const linked = targets.map(({ target_name }) =>
      new RegExp(`target_link_options\\(${target_name} PRIVATE (-(?:static-libstdc|nostdlib)[^)]*)\\)`)
        .exec(text)?.[1]
        ?.split(' ')
    )
    expect(linked).toEqual(targets.map(({ ldflags }) => ldflags))
  })
})
