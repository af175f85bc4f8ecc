import { describe, expect, it } from 'vitest'
import { ScopeTree } from '../../../../src/subprocess/node/scope/scope-tree.js'

interface Situation {
  readonly known?: boolean
  readonly exited?: boolean
  readonly populated?: boolean
  readonly failure?: Error | null
}

/** A tree, and everything that it has done, in order. */
function observed({ known = true, exited = false, populated = true, failure = null }: Situation) {
  const done: string[] = []
  const note = (what: string, result: Error | null = null): Error | null => {
    done.push(what)
    return result
  }
  const scope = {
    populated: () => populated,
    signal: (signal: string) => note(`scope ${signal}`),
    kill: () => note('scope KILL', failure)
  }
  const tree = new ScopeTree({
    group: { terminate: () => note('group TERM'), kill: () => note('group KILL'), exists: () => !exited },
    exited: () => exited,
    scope: () => (known ? scope : null),
    unkillable: ({ message }) => note(`unkillable: ${message}`)
  })
  return { tree, done }
}

function acts(situation: Situation): string[] {
  const { tree, done } = observed(situation)
  tree.terminate()
  tree.kill()
  return done
}

describe('a command in a scope', () => {
  it('is signalled as a group until its scope is known', () => {
    expect(acts({ known: false })).toEqual(['group TERM', 'group KILL'])
  })

  it('is signalled as a scope from then on, and killed as both while its own number is surely its own', () => {
    expect(acts({})).toEqual(['scope SIGTERM', 'scope SIGCONT', 'group KILL', 'scope KILL'])
    expect(acts({ exited: true })).toEqual(['scope SIGTERM', 'scope SIGCONT', 'scope KILL'])
  })

  it('exists for as long as its scope has a member, whatever becomes of the direct process', () => {
    const exists = (situation: Situation): boolean => observed(situation).tree.exists()
    expect([exists({ exited: true }), exists({ populated: false })]).toEqual([true, false])
    expect([exists({ known: false }), exists({ known: false, exited: true })]).toEqual([true, false])
  })

  it('that cannot be killed is told, unless there was nothing left to kill', () => {
    const failure = new Error('not permitted')
    expect(acts({ exited: true, failure }).at(-1)).toBe('unkillable: not permitted')
    expect(acts({ exited: true, failure, populated: false }).at(-1)).toBe('scope KILL')
  })
})
