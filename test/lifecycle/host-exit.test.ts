import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { running, sleepMarker } from '../subprocess/behaviour/observe.js'
import { runHost } from './host.js'
import { describeEachHost } from './host-providers.js'

let folder: string

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'host-exit-test-')))
})

afterAll(() => fs.rmSync(folder, { recursive: true }))

/** A command and a leftover of another one, both up, by their markers; the second traps TERM. */
function twoCommands(first: string, second: string): string {
  return `
    const a = runtime.spawn(bash('exec sleep ${first}'))
    const b = runtime.spawn(bash('(trap "" TERM; sleep ${second}; :) & echo up; exit 0'))
    await b.done
    while (!b.collected.stdout.readFrom(0).text.includes('up')) await new Promise((resolve) => setTimeout(resolve, 5))
  `
}

describeEachHost((provider) => {
  const temp = () => fs.mkdtempSync(join(folder, 'tmp-'))

  describe('a host that exits', () => {
    it.each([
      ['by process.exit keeps its code', 'process.exit(23)', 23, ''],
      [
        'by an uncaught exception keeps code and diagnostic',
        'setImmediate(() => { throw new Error("boom-1") })',
        1,
        'boom-1'
      ],
      ['by an unhandled rejection keeps code and diagnostic', 'void Promise.reject(new Error("boom-2"))', 1, 'boom-2']
    ])('%s, and nothing of its commands is left', async (_title, ending, code, diagnostic) => {
      const [first, second, tmp] = [sleepMarker(), sleepMarker(), temp()]
      const end = await runHost(provider, `${twoCommands(first, second)}; ${ending}`, { TMPDIR: tmp })
      expect({
        code: end.code,
        told: end.stderr.includes(diagnostic),
        left: [...running(first), ...running(second)],
        temporary: fs.readdirSync(tmp)
      }).toEqual({ code, told: true, left: [], temporary: [] })
    })

    it('removes the folder of a claimed spill file that was taken out of it after the disposal', async () => {
      const tmp = temp()
      const body = `
        import { renameSync, readdirSync } from 'node:fs'
        const stdout = { maxBytes: 10, spill: { maxBytes: 1000 } }
        const handle = runtime.spawn(bash('seq 1 20', {}, { stdout }))
        await handle.done
        const path = handle.collected.stdout.readFrom(0).spillPath
        console.log(runtime.claimSpill(path))
        await runtime.dispose()
        renameSync(path, process.env.TMPDIR + '/mine.log')
        console.log(readdirSync(process.env.TMPDIR).length)`
      const end = await runHost(provider, body, { TMPDIR: tmp })
      expect({ ...end, left: fs.readdirSync(tmp) }).toEqual({
        code: 0,
        signal: null,
        stdout: 'true\n2\n',
        stderr: '',
        left: ['mine.log']
      })
    })

    it('during a disposal still kills', async () => {
      const [first, second, tmp] = [sleepMarker(), sleepMarker(), temp()]
      const body = `${twoCommands(first, second)}; void runtime.dispose(); await a.done; process.exit(9)`
      const end = await runHost(provider, body, { TMPDIR: tmp })
      expect({ ...end, left: running(second), temporary: fs.readdirSync(tmp) }).toEqual({
        code: 9,
        signal: null,
        stdout: '',
        stderr: '',
        left: [],
        temporary: []
      })
    })

    it('kills before a later listener can fail', async () => {
      const [first, second] = [sleepMarker(), sleepMarker()]
      const body = `process.on('exit', () => { throw new Error('listener') }); ${twoCommands(first, second)}; process.exit(3)`
      const end = await runHost(provider, body)
      expect({ told: end.stderr.includes('listener'), left: [...running(first), ...running(second)] }).toEqual({
        told: true,
        left: []
      })
    })

    it('removes spill files that nobody claimed', async () => {
      const tmp = temp()
      const body = `
        const spilled = async (word) => {
          const stdout = { maxBytes: 3, spill: { maxBytes: 1000 } }
          const handle = runtime.spawn(bash('printf ' + word, {}, { stdout }))
          await handle.done
          return handle.collected.stdout.readFrom(0).spillPath
        }
        await spilled('dropped')
        const path = await spilled('claimed')
        runtime.claimSpill(path)
        console.log(path)
        process.exit(0)`
      const end = await runHost(provider, body, { TMPDIR: tmp })
      const path = end.stdout.trim()
      const files = fs
        .readdirSync(tmp)
        .flatMap((name) => fs.readdirSync(join(tmp, name)).map((file) => join(tmp, name, file)))
      expect({ end, files, content: fs.readFileSync(path, 'utf8') }).toEqual({
        end: { code: 0, signal: null, stdout: `${path}\n`, stderr: '' },
        files: [path],
        content: 'claimed'
      })
    })
  })
})
