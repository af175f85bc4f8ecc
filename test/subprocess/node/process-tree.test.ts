import { afterEach, describe, expect, it, vi } from 'vitest'
import { processTree, type TreeHost } from '../../../src/subprocess/node/process-tree.js'

/** A host of that platform which only writes down what it is told to run. */
function recordingHost(platform: NodeJS.Platform): TreeHost & { readonly ran: string[][] } {
  const ran: string[][] = []
  return { platform, ran, run: (program, args) => void ran.push([program, ...args]) }
}

describe('a process tree on Windows', () => {
  const taskkill = ['taskkill', '/PID', '4711', '/T', '/F']

  it('is ended with taskkill, by force and with all below it, at every stage of the ladder', () => {
    const host = recordingHost('win32')
    const tree = processTree(4711, () => false, host)
    tree.terminate()
    tree.kill()
    expect({ ran: host.ran, exists: tree.exists() }).toEqual({ ran: [taskkill, taskkill], exists: true })
  })

  it('is left alone once the command has exited, when its number may be that of a stranger', () => {
    const host = recordingHost('win32')
    const tree = processTree(4711, () => true, host)
    tree.terminate()
    tree.kill()
    expect({ ran: host.ran, exists: tree.exists() }).toEqual({ ran: [], exists: false })
  })
})

describe('a process tree elsewhere', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each(['linux', 'darwin'] as const)(
    'is a process group that gets signals, and no program is run: %s',
    (platform) => {
      const host = recordingHost(platform)
      const sent = vi.spyOn(process, 'kill').mockReturnValue(true)
      const tree = processTree(4711, () => false, host)
      tree.terminate()
      tree.kill()
      expect({ sent: sent.mock.calls, ran: host.ran }).toEqual({
        sent: [
          [-4711, 'SIGTERM'],
          [-4711, 'SIGCONT'],
          [-4711, 'SIGKILL']
        ],
        ran: []
      })
    }
  )
})
