// The fallback where the user has a systemd manager: every command in a scope of its own, from each kind of place.

import { beforeAll, describe, expect, vi } from 'vitest'
import { feature } from '../../../setup/features.js'
import { describePlace, managedPlaces, userSystemd } from '../../../systemd/in-user-systemd.js'
import { told, useProgram } from './run-inside.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const test = feature('a systemd user manager', userSystemd)
const ended = { exitCode: null, signal: 'SIGTERM' }

useProgram()

describe.each(managedPlaces.map((place) => [describePlace(place), place] as const))('%s: a command', (_name, place) => {
  let facts: Record<string, unknown> = {}

  beforeAll(async () => {
    if (userSystemd() !== true) return
    facts = await told(place, ['likeness', 'leftover', 'politeness', 'races', 'deadlines', 'disposal', 'hostExit'])
  })

  test('sees and tells nothing else than in a process group, nor fails in another way', () => {
    const failures = ['missing program', 'missing file', 'no executable', 'a folder', 'missing interpreter']
    const others = ['missing folder', 'a file as folder', 'long argument', 'many arguments']
    expect(facts.likeness).toEqual({ unlike: {}, failures: [...failures, ...others] })
  })

  test('has not ended while what it has detached lives, which then ends with it', () => {
    expect(facts.leftover).toEqual({
      outcome: { exitCode: 4, signal: null },
      after: { range: 'scope', cause: null, quiescent: false },
      empty: true,
      finally: { range: 'scope', cause: null, quiescent: true },
      left: []
    })
  })

  test('is asked first, as is all that it has started, and killed after the grace', () => {
    expect(facts.politeness).toEqual({
      ...{ outcome: { exitCode: null, signal: 'SIGKILL' }, empty: true, output: 'up\nhelped\n' },
      ...{ range: 'scope', cause: 'terminate', quiescent: true }
    })
  })

  test('that is stopped at any moment of its start was stopped, and left nothing', () => {
    expect(facts.races).toEqual({ unexpected: [], left: [], units: [] })
  })

  test('is ended by a deadline that comes before it has begun, and by one that comes later', () => {
    const past = { range: 'scope', cause: 'deadline', quiescent: true }
    expect(facts.deadlines).toEqual({ outcomes: [ended, ended], facts: [past, past] })
  })

  test('leaves no process, unit, file or descriptor after the disposal', () => {
    expect(facts.disposal).toEqual({
      running8: 8,
      left: { processes: [], empty: Array.from({ length: 8 }, () => true) },
      units: [],
      temporary: []
    })
  })

  test('does not outlive the exit of its host, nor does what it has detached', () => {
    expect(facts.hostExit).toEqual({ status: 23, stderr: '' })
  })
})
