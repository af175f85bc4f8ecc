// The ways to run a command in a sandbox, all through this library's executor but for the one that has a runtime of its own:
// each runs `bash -c :`, allowed to write to one folder, with both streams captured.

import type { SubprocessRuntime } from 'quiesce'
import { type ConfinedArgv, createContext, LocalSandboxProvider, SandboxBashExecutor, SandboxProvider } from 'quiesce'
import { sandboxRuntime } from './sandbox-runtime.js'
import type { SandboxWay } from './sandbox-ways.js'

export interface Sandboxed {
  command(): Promise<void>
  dispose(): Promise<void>
}

/** The argv that confines itself, for every command: what a runtime does that has no short way. */
class LongWay extends SandboxProvider {
  readonly #provider: SandboxProvider

  constructor(provider: SandboxProvider) {
    super()
    this.#provider = provider
  }

  async confine(...call: Parameters<SandboxProvider['confine']>): Promise<ConfinedArgv> {
    const { prepared: _, ...confined } = await this.#provider.confine(...call)
    return confined
  }
}

function providerOf(way: 'native' | 'runner' | 'bwrap', subprocess: SubprocessRuntime): SandboxProvider {
  const provider = new LocalSandboxProvider({ subprocess, backends: [way === 'bwrap' ? 'bwrap' : 'native'] })
  return way === 'runner' ? new LongWay(provider) : provider
}

async function throughExecutor(way: 'none' | 'native' | 'runner' | 'bwrap', workspaceRoot: string): Promise<Sandboxed> {
  const context = await createContext()
  const { subprocess } = context
  const policy = { mode: 'workspace-write', workspaceRoot } as const
  const shell =
    way === 'none'
      ? context.shell
      : new SandboxBashExecutor({ subprocess, sandbox: providerOf(way, subprocess), policy })
  return {
    command: async () => {
      const result = await shell.run({ command: ':', workdir: workspaceRoot })
      if (result.exitCode !== 0) throw new Error(`${way}: ${JSON.stringify(result)}`)
    },
    dispose: () => context.dispose()
  }
}

export const openSandbox = (way: SandboxWay, workspaceRoot: string): Promise<Sandboxed> =>
  way === 'sandbox-runtime' ? sandboxRuntime(workspaceRoot) : throughExecutor(way, workspaceRoot)
