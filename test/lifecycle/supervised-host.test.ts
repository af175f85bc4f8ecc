import { describe, expect } from 'vitest'
import { withSupervisor } from '../stress/native-features.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import { runHost } from './host.js'

const commandCount = 50
const boundMs = 1000

/** Every second command leaves its real work to a process that has left its session and its parent. */
const body = (marker: string): string => `
  const held = new NativeSubprocessRuntime({ ranges: ['supervisor'] })
  const work = "sh -c 'echo up; exec sleep ${marker}'"
  const handles = Array.from({ length: ${commandCount} }, (_, i) =>
    held.spawn(bash(i % 2 === 0 ? 'exec ' + work : '(setsid ' + work + ' &); exec sleep ${marker}')))
  const up = (handle) => handle.collected.stdout.readFrom(0).text === 'up\\n'
  while (!handles.every(up)) await new Promise((resolve) => setTimeout(resolve, 5))
  console.log('up')
  process.kill(process.pid, 'SIGKILL')`

describe('a host with supervisors', () => {
  withSupervisor(`that is killed while ${commandCount} commands run leaves none of them for a second`, async () => {
    const marker = sleepMarker()
    const end = await runHost('native', body(marker))
    const endedAt = performance.now()
    await until(() => running(marker).length === 0)
    const tookMs = performance.now() - endedAt
    expect(end).toEqual({ code: null, signal: 'SIGKILL', stdout: 'up\n', stderr: '' })
    expect(tookMs).toBeLessThan(boundMs)
  })
})
