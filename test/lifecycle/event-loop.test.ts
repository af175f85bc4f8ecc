import { describe, expect, it } from 'vitest'
import { running, sleepMarker } from '../subprocess/behaviour/observe.js'
import { runHost } from './host.js'
import { describeEachHost } from './host-providers.js'

describeEachHost((provider) => {
  describe('a host with nothing else to do', () => {
    it('ends by itself once its commands have settled, and a kept leftover ends with it', async () => {
      const marker = sleepMarker()
      const startedAt = performance.now()
      const body = `
        const handle = runtime.spawn(bash('sleep ${marker} & echo started'))
        console.log(await handle.done, handle.facts.quiescent)`
      const end = await runHost(provider, body)
      expect({ ...end, left: running(marker) }).toEqual({
        code: 0,
        signal: null,
        stdout: '{ exitCode: 0, signal: null } false\n',
        stderr: '',
        left: []
      })
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    })

    it('lives as long as a command has not settled', async () => {
      const body = `runtime.spawn(bash('sleep 0.3; exit 4')).done.then((outcome) => console.log(outcome))`
      expect(await runHost(provider, body)).toEqual({
        code: 0,
        signal: null,
        stdout: '{ exitCode: 4, signal: null }\n',
        stderr: ''
      })
    })

    it('lives as long as it ends a leftover, which may take its time to obey', async () => {
      const body = `
        const leftover = 'trap "sleep 0.3; echo obeyed; exit" TERM; echo up; while :; do sleep 0.02; done'
        const handle = runtime.spawn(bash('(' + leftover + ') & exit 0', { graceMs: 4000 }, { stderr: 'ignore' }))
        const { stdout } = handle.collected
        while (!stdout.readFrom(0).text.includes('up')) await new Promise((resolve) => setTimeout(resolve, 5))
        await handle.done
        process.on('exit', () => console.log(handle.facts.quiescent))
        handle.terminate()`
      expect(await runHost(provider, body)).toEqual({ code: 0, signal: null, stdout: 'true\n', stderr: '' })
    })

    it('lives as long as somebody waits for a range to empty', async () => {
      const body = `
        const handle = runtime.spawn(bash('sleep 0.4 >/dev/null 2>&1 & exit 0'))
        await handle.done
        void handle.waitForExit().then((empty) => console.log('empty', empty))`
      expect(await runHost(provider, body)).toEqual({ code: 0, signal: null, stdout: 'empty true\n', stderr: '' })
    })

    it('does not live on for a wait that was given up', async () => {
      const marker = sleepMarker()
      const body = `
        const handle = runtime.spawn(bash('sleep ${marker} & exit 0'))
        await handle.done
        console.log(await handle.waitForExit(AbortSignal.timeout(50)))`
      expect({ ...(await runHost(provider, body)), left: running(marker) }).toEqual({
        code: 0,
        signal: null,
        stdout: 'false\n',
        stderr: '',
        left: []
      })
    })

    it('ends after a disposal, with nothing left to hold it', async () => {
      const body = `
        await runtime.spawn(bash('echo x', { signal: new AbortController().signal, deadlineMs: 60000 })).done
        await runtime.spawn(bash(':', { cwd: '/no/such/folder' })).done.catch(() => {})
        await runtime.dispose()`
      expect(await runHost(provider, body)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    })
  })

  describe('inherited output', () => {
    it('goes where the host writes', async () => {
      const body = `await runtime.spawn(bash('echo out; echo err >&2', {}, { stdout: 'inherit', stderr: 'inherit' })).done`
      expect(await runHost(provider, body)).toEqual({ code: 0, signal: null, stdout: 'out\n', stderr: 'err\n' })
    })
  })
})
