import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { groupsWithLife } from '../../../src/subprocess/node/group-states.js'
import { running, until } from '../behaviour/observe.js'

describe('the look at /proc', () => {
  it('tells a living group from one of zombies and from none', async () => {
    // A name with parentheses, spaces and what looks like fields, to be read over.
    const child = spawn('perl', ['-e', '$0 = "a) Z 1 (b"; sleep 300', 'group-states-test'], { detached: true })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    await until(() => running('group-states-test').length === 1 || groupsWithLife()?.get(pid) === true)
    const alive = groupsWithLife()?.get(pid)
    child.kill('SIGSTOP')
    const stopped = groupsWithLife()?.get(pid)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect([alive, stopped, groupsWithLife()?.get(pid)]).toEqual([true, true, undefined])
  })
})
