// cmake-js and node-gyp build the same addon: the same sources, with the same flags that matter.

import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourceFiles } from '../setup/source-imports.js'
import { withAddon } from './packed.js'

interface GypTarget {
  readonly sources: readonly string[]
  readonly defines: readonly string[]
  readonly cflags_cc: readonly string[]
  readonly ldflags: readonly string[]
}

const gyp: GypTarget = JSON.parse(readFileSync(join(root, 'binding.gyp'), 'utf8')).targets[0]

/** What gyp does with `<!@(command)`: runs it and takes its words. */
function expand(value: string): string[] {
  const command = /^<!@\((.*)\)$/.exec(value)?.[1]
  return command === undefined ? [value] : execSync(command, { cwd: root, encoding: 'utf8' }).trim().split(/\s+/)
}

const gypSources = gyp.sources.flatMap(expand).sort()

/** File and flags of every compilation in the CMake build of the addon. */
function cmakeCompilations(): { file: string; flags: string[] }[] {
  const commands = JSON.parse(readFileSync(join(root, 'build/compile_commands.json'), 'utf8'))
  return commands.map(({ file, command }: { file: string; command: string }) => ({
    file: relative(root, file),
    flags: command.split(/\s+/)
  }))
}

const important = (flags: readonly string[]): string[] =>
  flags.filter((flag) => /^-(?:std=|fvisibility|fno-exceptions|fno-rtti|W)/.test(flag)).sort()

describe('the two builds of the addon', () => {
  it('compile every source file of native', () => {
    expect(gypSources).toEqual(sourceFiles('native', '.cc').filter((path) => !path.startsWith('native/runner/')))
  })

  withAddon('compile the same sources', () => {
    const files = cmakeCompilations().map(({ file }) => file)
    expect(files.sort()).toEqual(gypSources)
  })

  withAddon('use the same standard, visibility and warnings', () => {
    const different = cmakeCompilations().filter(
      ({ flags }) => important(flags).join(' ') !== important(gyp.cflags_cc).join(' ')
    )
    expect(different).toEqual([])
  })

  withAddon('define the same for the Node-API part', () => {
    const ours = cmakeCompilations().filter(({ file }) => file.startsWith('native/addon/'))
    const defines = ours.map(({ flags }) =>
      flags.flatMap((flag) => /^-D((?:NAPI|NODE_ADDON|NODE_API)_.*)$/.exec(flag)?.[1] ?? []).sort()
    )
    expect(defines).toEqual(ours.map(() => [...gyp.defines].sort()))
  })

  it('link the C++ library statically', () => {
    const linked = /target_link_options\(quiesce PRIVATE ([^)]*)\)/.exec(
      readFileSync(join(root, 'CMakeLists.txt'), 'utf8')
    )
    expect(linked?.[1]?.split(' ')).toEqual(gyp.ldflags)
  })
})
