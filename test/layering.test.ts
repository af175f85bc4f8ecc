// Which folder may use which: the rules stand here once, and a breach fails with the line that breaks them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, includesOf, root, sourceFiles } from './setup/source-imports.js'

/** The folders of src, each with the folders that it may import beside itself. */
const mayImport: Record<string, readonly string[]> = {
  errors: [],
  validation: ['errors'],
  native: ['errors'],
  subprocess: ['errors', 'native'],
  sandbox: ['errors', 'native', 'subprocess'],
  shell: ['errors', 'subprocess', 'sandbox'],
  jobs: ['errors', 'subprocess'],
  terminal: ['errors', 'validation', 'subprocess', 'sandbox'],
  tool: ['errors', 'validation', 'subprocess', 'sandbox', 'shell', 'jobs', 'terminal'],
  dsh: ['errors', 'subprocess', 'context'],
  context: ['errors', 'validation', 'subprocess', 'sandbox', 'shell', 'jobs', 'terminal'],
  mcp: ['errors', 'validation', 'subprocess', 'sandbox', 'shell', 'jobs', 'terminal', 'tool', 'context'],
  cli: ['errors', 'subprocess', 'sandbox', 'shell', 'context', 'mcp']
}

/** The folders of native, each with the folders that it may include beside itself. */
const mayInclude: Record<string, readonly string[]> = {
  os: [],
  spawn: ['os'],
  output: ['os'],
  guardian: ['os'],
  supervisor: ['spawn'],
  range: ['os', 'spawn', 'supervisor'],
  terminal: ['os', 'range'],
  process: ['os', 'spawn', 'output', 'range', 'terminal'],
  confine: ['os'],
  prepared: ['os', 'confine', 'spawn'],
  launcher: ['os', 'spawn', 'output', 'range'],
  scope: ['os', 'spawn', 'range', 'launcher'],
  reactor: ['os', 'spawn', 'output', 'range', 'prepared', 'terminal', 'process', 'guardian'],
  runner: ['os', 'confine', 'prepared', 'launcher', 'output', 'range', 'guardian'],
  addon: ['os', 'spawn', 'output', 'range', 'scope', 'terminal', 'process', 'reactor']
}

/** What costs a host time as soon as it is loaded; src/index.ts reaches none of it before it is needed. */
const heavy =
  /^(?:zod|commander|node:(?:child_process|net|tls|http|https|http2|crypto|worker_threads|readline|dns))(?:\/|$)/

const folderOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? ''
const sources = sourceFiles('src', '.ts')
const natives = sourceFiles('native', '.cc', '.h')

describe('layers of src', () => {
  it('knows every folder', () => {
    const folders = new Set(sources.map(folderOf).filter((folder) => folder !== ''))
    expect([...folders].filter((folder) => !(folder in mayImport))).toEqual([])
  })

  it('imports only from the layers below', () => {
    const breaches = sources.flatMap((path) => {
      const folder = folderOf(path)
      if (folder === '') return []
      return importsOf(path)
        .filter(({ file }) => file !== null)
        .filter(
          ({ file }) => file !== null && folderOf(file) !== folder && !mayImport[folder]?.includes(folderOf(file))
        )
        .map(({ specifier }) => `${path} imports ${specifier}`)
    })
    expect(breaches).toEqual([])
  })

  it('lets the sandbox know of the native part only where its runner lies', () => {
    const natives = sources
      .filter((path) => folderOf(path) === 'sandbox')
      .flatMap((path) => importsOf(path).filter(({ file }) => file !== null && folderOf(file) === 'native'))
    expect(natives.map(({ file }) => file)).toEqual(['src/native/runner-path.ts'])
  })

  it('imports only files that exist', () => {
    const known = new Set(sources)
    const missing = sources.flatMap((path) =>
      importsOf(path)
        .filter(({ file }) => file?.endsWith('.ts') && !known.has(file))
        .map(({ specifier }) => `${path} imports ${specifier}`)
    )
    expect(missing).toEqual([])
  })

  it('only re-exports in index.ts', () => {
    const text = readFileSync(join(root, 'src/index.ts'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
    const rest = text.replace(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\s+'[^']+'/g, '').trim()
    expect(rest).toBe('')
  })

  it('loads nothing heavy when the package is imported', () => {
    const breaches: string[] = []
    const seen = new Set<string>()
    const visit = (path: string): void => {
      if (seen.has(path)) return
      seen.add(path)
      for (const { specifier, file, typeOnly, lazy } of importsOf(path)) {
        if (typeOnly || lazy) continue
        if (file !== null) visit(file)
        else if (heavy.test(specifier)) breaches.push(`${path} imports ${specifier}`)
      }
    }
    visit('src/index.ts')
    expect(breaches).toEqual([])
    expect(seen.size).toBeGreaterThan(10)
  })
})

describe('layers of native', () => {
  it('knows every folder', () => {
    const folders = new Set(natives.map(folderOf).filter((folder) => folder !== ''))
    expect([...folders].filter((folder) => !(folder in mayInclude))).toEqual([])
    expect(folders.size).toBeGreaterThan(0)
  })

  it('includes only from the layers below', () => {
    const breaches = natives.flatMap((path) => {
      const folder = folderOf(path)
      return includesOf(path)
        .filter((name) => name.startsWith('native/') && folderOf(name) !== folder)
        .filter((name) => !mayInclude[folder]?.includes(folderOf(name)))
        .map((name) => `${path} includes ${name}`)
    })
    expect(breaches).toEqual([])
  })

  it('includes headers of Node in addon alone', () => {
    const header = /^(?:napi|node_api|js_native_api|node|uv|v8)[a-z_-]*\.h$/
    const breaches = natives.flatMap((path) =>
      folderOf(path) === 'addon'
        ? []
        : includesOf(path)
            .filter((name) => header.test(name))
            .map((name) => `${path}: ${name}`)
    )
    expect(breaches).toEqual([])
  })

  it('uses nothing of libuv or V8', () => {
    const breaches = natives.filter((path) => includesOf(path).some((name) => /^(?:uv|v8)[a-z_-]*\.h$/.test(name)))
    expect(breaches).toEqual([])
  })
})
