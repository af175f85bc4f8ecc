// @anthropic-ai/sandbox-runtime: it makes a command line for a shell, which is run as its readme says, by Node's own spawn.

import { spawn } from 'node:child_process'
import type { Sandboxed } from './sandboxes.js'

function run(command: string, cwd: string): Promise<void> {
  const child = spawn(command, { shell: 'bash', cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`sandbox-runtime ended with ${code}: ${said.trim()}`))
    })
  })
}

export async function sandboxRuntime(workspaceRoot: string): Promise<Sandboxed> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime')
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspaceRoot], denyWrite: [] }
  })
  return {
    command: async () => run(await SandboxManager.wrapWithSandbox(':'), workspaceRoot),
    dispose: () => SandboxManager.reset()
  }
}
