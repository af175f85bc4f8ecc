import { describe, expect, it } from 'vitest'
import { AddonUnavailableError, noSuchFile } from '../../src/errors/addon-unavailable.js'

const built = { path: '/p/build/quiesce.node', reason: noSuchFile }

describe('the error of a native core that cannot be loaded', () => {
  it('lists every attempt and the remedy, a line each', () => {
    const brought = { path: '/p/prebuilds/quiesce.node', reason: "version `GLIBC_2.36' not found" }
    const error = new AddonUnavailableError('linux-x64', [built, brought], 'Build it.')
    expect({ ...error, name: error.name, message: error.message }).toEqual({
      name: 'AddonUnavailableError',
      message:
        'the native core of quiesce cannot be loaded on linux-x64; tried\n' +
        '  /p/build/quiesce.node: no such file\n' +
        "  /p/prebuilds/quiesce.node: version `GLIBC_2.36' not found\n" +
        'Build it.',
      code: 'ADDON_UNAVAILABLE',
      attempts: [built, brought],
      reason: brought.reason
    })
  })

  it('says in a few words that there is no build where no file is there', () => {
    expect(new AddonUnavailableError('linux-x64-musl', [built, built], '').reason).toBe(
      'there is no build for linux-x64-musl'
    )
  })
})
