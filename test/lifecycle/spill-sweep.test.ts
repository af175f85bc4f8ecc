import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import { NodeSubprocessRuntime } from '../../src/subprocess/node/node-runtime.js'
import { bash } from '../subprocess/specs.js'
import { crash, filesBelow, spilling } from './crashing.js'
import { describeEachHost } from './host-providers.js'

const runtimes = { node: NodeSubprocessRuntime, native: NativeSubprocessRuntime }

describeEachHost((provider) => {
  describe('the first command of a new runtime', () => {
    it('removes the spill files that a killed host of the fallback left, but for those that were claimed', async () => {
      const body = `${spilling} await spilled(); const path = await spilled(); runtime.claimSpill(path); console.log(path)`
      const kill = async (host: { kill(signal: 'SIGKILL'): boolean }): Promise<void> => void host.kill('SIGKILL')
      const crashed = await crash(body, { provider: 'node', processes: 0, kill })
      const [path] = crashed.stdout.split('\n')
      const before = filesBelow(crashed.tmp)
      const runtime = new runtimes[provider]({ spillDir: crashed.tmp })
      await runtime.spawn(bash(':')).done
      await runtime.dispose()
      expect({ before: before.length, after: filesBelow(crashed.tmp), mine: fs.existsSync(path ?? '') }).toEqual({
        before: 2,
        after: [path],
        mine: true
      })
      crashed.tidy()
    })
  })
})
