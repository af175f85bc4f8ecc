import { describe, expect, it } from 'vitest'
import { loadFrom, type Modules } from '../../../../src/subprocess/node/terminal/load-pty.js'

function modules(known: Readonly<Record<string, unknown>>): Modules {
  const require = (name: string): unknown => {
    if (name in known) return known[name]
    throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack: …`), { code: 'MODULE_NOT_FOUND' })
  }
  return Object.assign(require, { resolve: (name: string) => `/modules/${name}` })
}

const remedy = 'install node-pty 1.1 (npm install node-pty), which needs a compiler on Linux, or use the native core'
const binding = { fork: () => {}, resize: () => {} }
const utils = { loadNativeModule: () => ({ dir: '../build/Release/', module: binding }) }

describe.skipIf(process.platform === 'win32')('node-pty', () => {
  it('is loaded with the path of its helper', () => {
    const present = { 'node-pty/package.json': { version: '1.1.0' }, 'node-pty/lib/utils.js': utils }
    expect(loadFrom(modules(present))).toEqual({ binding, helper: '/modules/node-pty/build/Release/spawn-helper' })
  })

  it.each([
    ['is not installed', {}, 'node-pty is not installed'],
    ['is of another version', { 'node-pty/package.json': { version: '2.0.0' } }, 'node-pty 2.0.0 is not supported'],
    [
      'was never compiled',
      {
        'node-pty/package.json': { version: '1.1.0' },
        'node-pty/lib/utils.js': {
          loadNativeModule: () => {
            throw new Error('Failed to load native module: pty.node\nmore')
          }
        }
      },
      'node-pty cannot be loaded (Failed to load native module: pty.node'
    ]
  ])('that %s is an error with its remedy', (_title, known, reason) => {
    expect(() => loadFrom(modules(known))).toThrow(
      expect.objectContaining({
        code: 'TERMINAL_UNAVAILABLE',
        reason,
        message: `terminals are not available: ${reason}; ${remedy}`
      })
    )
  })
})
