import { afterEach, describe, expect, it } from 'vitest'
import { composeEnvironment } from '../../src/subprocess/environment.js'

const posix = { caseless: false } as const

function compose(host: Record<string, string>, overrides: Record<string, string | undefined> = {}, control = false) {
  return Object.fromEntries(composeEnvironment(overrides, { ...posix, host, control }))
}

describe('the scrub of the host environment', () => {
  it('drops what looks like a secret or belongs to the harness, and keeps the rest in order', () => {
    const host = {
      PATH: '/bin',
      API_KEY: '1',
      monkey: '1',
      MyPassword: '1',
      db_secret_x: '1',
      NPM_TOKEN: '1',
      DSH_SESSION: '1',
      dsh_x: '1',
      Dsh_: '1',
      DSH: 'kept',
      XDSH_A: 'kept',
      PASSPHRASE: 'kept',
      LC_ALL: 'C',
      EMPTY: ''
    }
    expect([...composeEnvironment({}, { ...posix, host })]).toEqual([
      ['PATH', '/bin'],
      ['DSH', 'kept'],
      ['XDSH_A', 'kept'],
      ['PASSPHRASE', 'kept'],
      ['LC_ALL', 'C'],
      ['EMPTY', '']
    ])
  })

  it('gives the same verdict the second time, and for the other runs too', () => {
    expect([compose({ A_TOKEN: '1', B: '2' }), compose({ A_TOKEN: '1', B: '3' })]).toEqual([{ B: '2' }, { B: '3' }])
  })

  it('forgets a control channel of the host itself', () => {
    expect(compose({ QUIESCE_CONTROL_FD: '7', A: '1' })).toEqual({ A: '1' })
  })
})

describe('overrides', () => {
  it('win over the host, keep a secret that is passed on purpose, and remove by undefined', () => {
    const host = { A: 'host', B: 'host', C: 'host' }
    expect(compose(host, { A: 'mine', B: undefined, API_KEY: 'k', DSH_X: 'x', GONE: undefined })).toEqual({
      A: 'mine',
      C: 'host',
      API_KEY: 'k',
      DSH_X: 'x'
    })
  })

  it('differ in case from other names on POSIX', () => {
    expect(compose({ Path: 'a' }, { PATH: 'b' })).toEqual({ Path: 'a', PATH: 'b' })
  })

  it('cannot deny the control channel', () => {
    expect(compose({}, { QUIESCE_CONTROL_FD: undefined }, true)).toEqual({ QUIESCE_CONTROL_FD: '7' })
  })
})

describe('names without case', () => {
  const composeCaseless = (host: Record<string, string>, overrides: Record<string, string | undefined>) =>
    Object.fromEntries(composeEnvironment(overrides, { caseless: true, host }))

  it('replaces and removes whatever spelling the host has', () => {
    expect(composeCaseless({ Path: 'a', TEMP: 'b', x: 'c' }, { PATH: 'd', temp: undefined })).toEqual({
      x: 'c',
      PATH: 'd'
    })
  })

  it('lets the last of two spellings in the overrides win', () => {
    expect(composeCaseless({}, { Foo: '1', FOO: '2' })).toEqual({ FOO: '2' })
  })

  it('knows one spelling of the proxy variables', () => {
    expect(composeCaseless({ http_proxy: 'h' }, { No_Proxy: 'n' })).toEqual({
      HTTP_PROXY: 'h',
      NO_PROXY: 'n',
      NODE_USE_ENV_PROXY: '1'
    })
  })
})

describe('the proxy policy', () => {
  it('gives a program both spellings and tells Node to use them', () => {
    expect(compose({ HTTP_PROXY: 'h', https_proxy: 's', ALL_PROXY: 'a', no_proxy: 'n' })).toEqual({
      HTTP_PROXY: 'h',
      http_proxy: 'h',
      https_proxy: 's',
      HTTPS_PROXY: 's',
      ALL_PROXY: 'a',
      all_proxy: 'a',
      no_proxy: 'n',
      NO_PROXY: 'n',
      NODE_USE_ENV_PROXY: '1'
    })
  })

  it('leaves two spellings that differ as they are', () => {
    expect(compose({ HTTP_PROXY: 'upper', http_proxy: '' })).toEqual({
      HTTP_PROXY: 'upper',
      http_proxy: '',
      NODE_USE_ENV_PROXY: '1'
    })
  })

  it('adds nothing where no proxy is set', () => {
    expect(compose({ NO_PROXY: 'n', http_proxy: '' })).toEqual({
      NO_PROXY: 'n',
      no_proxy: 'n',
      http_proxy: '',
      HTTP_PROXY: ''
    })
  })

  it('lets one explicit spelling decide for both', () => {
    expect(compose({ HTTP_PROXY: 'old', http_proxy: 'old' }, { HTTP_PROXY: 'new' })).toEqual({
      HTTP_PROXY: 'new',
      http_proxy: 'new',
      NODE_USE_ENV_PROXY: '1'
    })
  })

  it('removes both spellings by one tombstone', () => {
    expect(compose({ HTTPS_PROXY: 's', https_proxy: 's', A: '1' }, { https_proxy: undefined })).toEqual({ A: '1' })
  })

  it('takes two explicit spellings as they are', () => {
    expect(compose({ HTTP_PROXY: 'old' }, { HTTP_PROXY: undefined, http_proxy: 'new' })).toEqual({
      http_proxy: 'new',
      NODE_USE_ENV_PROXY: '1'
    })
  })

  it.each([
    ['the host', { NODE_USE_ENV_PROXY: '0', HTTP_PROXY: 'h' }, {}, '0'],
    ['an override', { HTTP_PROXY: 'h' }, { NODE_USE_ENV_PROXY: '' }, ''],
    ['a tombstone', { HTTP_PROXY: 'h' }, { NODE_USE_ENV_PROXY: undefined }, undefined]
  ])('leaves the switch for Node to %s', (_title, host, overrides, expected) => {
    expect(compose(host, overrides).NODE_USE_ENV_PROXY).toBe(expected)
  })
})

describe('the environment of this process', () => {
  afterEach(() => {
    delete process.env.QUIESCE_TEST_CHANGED
  })

  it('is read anew for every command', () => {
    process.env.QUIESCE_TEST_CHANGED = 'one'
    const first = composeEnvironment().get('QUIESCE_TEST_CHANGED')
    process.env.QUIESCE_TEST_CHANGED = 'two'
    const second = composeEnvironment().get('QUIESCE_TEST_CHANGED')
    delete process.env.QUIESCE_TEST_CHANGED
    expect([first, second, composeEnvironment().get('QUIESCE_TEST_CHANGED')]).toEqual(['one', 'two', undefined])
  })
})
