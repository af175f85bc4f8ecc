import { release } from 'node:os'
import { describe, expect, it } from 'vitest'
import { cli, useBuiltCli } from './built-cli.js'

useBuiltCli()

interface Backend {
  readonly backend: string
  readonly enforcement: string | null
  readonly reason?: string
}

const rangeKinds = ['cgroup', 'scope', 'supervisor', 'group']

describe('quiesce doctor', () => {
  it('says everything as JSON', async () => {
    const { status, signal, stdout, stderr } = await cli(['doctor', '--json'])
    const facts = JSON.parse(stdout)
    expect({ status, signal, stderr, facts }).toEqual({
      status: 0,
      signal: null,
      stderr: '',
      facts: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        node: process.version,
        platform: `${process.platform}-${process.arch}`,
        kernel: release(),
        cgroup: {
          mount: expect.toBeOneOf([expect.any(String), null]),
          folder: expect.toBeOneOf([expect.any(String), null]),
          writable: expect.any(Boolean),
          kill: expect.toBeOneOf([expect.any(Boolean), null])
        },
        native: {
          addon: expect.toBeOneOf([{ path: expect.stringMatching(/\.node$/) }, { error: expect.any(String) }]),
          features: expect.any(Object)
        },
        provider: 'path' in facts.native.addon ? 'native' : 'node',
        range: { kind: expect.toBeOneOf(rangeKinds), reasons: expect.any(Array) },
        sandbox: {
          mode: 'workspace-write',
          workspaceRoot: process.cwd(),
          backend:
            facts.sandbox.backends.find(({ enforcement }: Backend) => enforcement === 'full')?.backend ??
            expect.anything(),
          backends: ['native', 'bwrap', 'landlock'].map((backend) =>
            expect.objectContaining({
              backend,
              enforcement: expect.toBeOneOf(['full', 'partial', null]),
              notGoverned: expect.any(Array),
              warnings: expect.any(Array)
            })
          )
        },
        warnings: expect.any(Array)
      }
    })
    // Why each stronger kind was not taken, as far as it was considered.
    for (const { kind, reason } of facts.range.reasons) {
      expect(rangeKinds.indexOf(kind)).toBeLessThan(rangeKinds.indexOf(facts.range.kind))
      expect(reason).not.toBe('')
    }
  })

  it('says the same to people, a fact a line', async () => {
    const { stdout } = await cli(['doctor'])
    const facts = JSON.parse((await cli(['doctor', '--json'])).stdout)
    expect(stdout).toMatch(/^quiesce {4}\d.*\nnode {7}v.*\nkernel {5}.*\ncgroup v2 {2}.*\naddon {6}/)
    expect(stdout).toContain(`provider   ${facts.provider}\nrange      ${facts.range.kind}\n`)
    for (const { kind, reason } of facts.range.reasons) expect(stdout).toContain(`not ${kind}: ${reason}\n`)
    expect(stdout).toContain(`sandbox    ${facts.sandbox.backend ?? 'none'} (workspace-write in ${process.cwd()})\n`)
    for (const { backend, enforcement, reason } of facts.sandbox.backends as Backend[]) {
      expect(stdout).toContain(`           ${backend}: ${enforcement ?? `cannot be used: ${reason}`}`)
    }
  })
})
