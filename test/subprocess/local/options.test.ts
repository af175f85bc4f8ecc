import { describe, expect, it } from 'vitest'
import { ScriptedRuntime } from './scripted-runtime.js'

describe('the options of a local runtime', () => {
  it.each([
    [null, 'options', 'options must be an object; got null'],
    [{ limits: 1 }, 'limits', 'limits is an unknown option; got 1'],
    [{ ranges: [] }, 'ranges', 'ranges must be a non-empty list of cgroup, scope, supervisor, group; got []'],
    [{ ranges: 'group' }, 'ranges', "ranges must be a non-empty list of cgroup, scope, supervisor, group; got 'group'"],
    [
      { ranges: ['jail'] },
      'ranges',
      "ranges must be a non-empty list of cgroup, scope, supervisor, group; got [ 'jail' ]"
    ],
    [{ spillDir: '' }, 'spillDir', "spillDir must be a non-empty string; got ''"],
    [{ spillDir: 5 }, 'spillDir', 'spillDir must be a string; got 5'],
    [{ onHostCrash: true }, 'onHostCrash', "onHostCrash must be 'end' or 'leave'; got true"],
    [{ onWarning: 'x' }, 'onWarning', "onWarning must be a function; got 'x'"]
  ])('are checked: %j', (options, option, message) => {
    const expected = expect.objectContaining({ message, code: 'EINVAL', option })
    expect(() => new ScriptedRuntime(options as object)).toThrow(expected)
  })
})
