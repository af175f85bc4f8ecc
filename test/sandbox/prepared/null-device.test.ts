// A standard stream that is the null device is that of the sandbox: through the host's, root could change the host's node.

import { afterAll, beforeAll, expect } from 'vitest'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { finished } from '../../subprocess/behaviour/observe.js'
import { confined, test, ways } from './confined.js'

let runtime: NativeSubprocessRuntime

beforeAll(() => {
  runtime = new NativeSubprocessRuntime({ onWarning: () => {} })
})

afterAll(() => runtime.dispose())

for (const way of ways) {
  test(`the mode of the null device cannot be set through a standard stream (${way})`, async () => {
    // The mode that it has.
    const end = await finished(runtime.spawn(confined('chmod 666 /dev/stdin', [], {}, way)))
    expect(end).toMatchObject({ outcome: { exitCode: 1 }, stderr: expect.stringContaining('Read-only file system') })
  })

  test(`a standard stream that is the null device can still be read and written (${way})`, async () => {
    const script = 'test "$(wc -c)" = 0 && echo x > /dev/stdout'
    const spec = confined(script, [], {}, way)
    const end = await finished(runtime.spawn({ ...spec, stdio: { ...spec.stdio, stdout: 'ignore' } }))
    expect(end).toMatchObject({ outcome: { exitCode: 0 } })
  })
}
