// Cases about confinement: that it starts, that tools work in it, and that nothing is taken for a denial which is none.

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { runnerPath } from '../../src/native/runner-path.js'
import { backendProbes } from '../fixtures/sandbox/real-backends.js'
import { type HostStart, performInHost } from './host.js'
import { caseOnBackends, type Scene } from './on-backends.js'
import { type Observation, performCase } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

const isThere = (program: string): true => {
  execFileSync(program, ['--version'], { stdio: 'ignore' })
  return true
}

async function inHost({ entry, subprocess, sandbox }: Scene, start: HostStart): Promise<Observation> {
  const [seen] = await performInHost({ entry, subprocess, sandbox }, start)
  return seen as Observation
}

caseOnBackends('L11')
caseOnBackends('L06')
caseOnBackends('B18')
caseOnBackends('B21')
caseOnBackends('B25')
caseOnBackends('B26')
caseOnBackends('B28')
caseOnBackends('B76')
caseOnBackends('B77')
caseOnBackends('B23', { needs: ['python3', () => isThere('python3')] })

/** In a user namespace that allows no further one. */
const withoutNamespaces = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
const inUserNamespace = ['unshare', '--user', '--map-root-user']
const canUnshare = (): true => {
  execFileSync('unshare', ['--user', '--map-root-user', 'sh', '-c', `set -- true; ${withoutNamespaces}`])
  return true
}

caseOnBackends('B15', {
  needs: ['user namespaces', canUnshare],
  perform: (scene) => inHost(scene, { launcher: [...inUserNamespace, 'sh', '-c', withoutNamespaces, 'sh'] })
})

const belowBubblewrap = [
  ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'],
  ...['--dev-bind', '/dev/null', '/proc/cmdline', '--bind', '/tmp', '/tmp', '--bind', '/var/tmp', '/var/tmp']
]

caseOnBackends('B16', {
  needs: ['bubblewrap', backendProbes.bwrap],
  perform: (scene) => inHost(scene, { launcher: belowBubblewrap })
})

/** The parent is read-only by a mount of its own, which root cannot pass either; the workspace in it is not. */
const readOnlyParent = `
  parent=$1; workspace=$2; shift 2
  mount --bind "$workspace" "$workspace" && mount --bind "$parent" "$parent" &&
  mount --bind "$workspace" "$parent/ws" && mount -o remount,ro,bind "$parent" && exec "$@"`
const privately = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', readOnlyParent, 'sh']

caseOnBackends('B19', {
  needs: ['mounts', () => execFileSync('unshare', ['--mount', '--propagation', 'private', 'true']) && true],
  async perform(scene) {
    const parent = join(scene.outside, 'parent')
    mkdirSync(join(parent, 'ws'), { recursive: true })
    const sandbox = { ...scene.sandbox, workspaceRoot: join(parent, 'ws') }
    return inHost({ ...scene, sandbox }, { launcher: [...privately, parent, scene.workspace] })
  }
})

caseOnBackends('L10', {
  needs: ['Landlock', backendProbes.landlock],
  perform: (scene) =>
    inHost(scene, {
      launcher: [runnerPath() ?? '', 'confine', '--landlock-only', '--rw', '/tmp', '--rw', '/var/tmp', '--']
    })
})

const git = (cwd: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=n', ...args], { cwd, stdio: 'ignore' })
}

caseOnBackends('B22', {
  note: 'which lets the command write to the repository by naming it in writableRoots',
  needs: ['git', () => isThere('git')],
  setUp({ workspace, outside }) {
    const hub = join(outside, 'hub')
    mkdirSync(hub)
    git(hub, 'init', '-q')
    git(hub, 'commit', '-q', '--allow-empty', '-m', 'first')
    git(hub, 'worktree', 'add', '-q', join(workspace, 'wt'))
    writeFileSync(join(workspace, 'wt/a'), 'a')
    return { writableRoots: [join(hub, '.git')] }
  }
})

caseOnBackends('B54', {
  async perform({ entry, subprocess, sandbox, outside }) {
    const file = join(outside, 'by-the-parent')
    const [seen] = await performCase(entry, subprocess, 0, sandbox)
    appendFileSync(file, 'written')
    chmodSync(file, 0o600)
    const measured = { parentStillCanWriteOutside: readFileSync(file, 'utf8') === 'written' }
    expect(seen?.result?.stdout.text).toBe('ok\n')
    return { ...(seen as Observation), measured }
  }
})

caseOnBackends('B99', {
  perform: (scene) => inHost(scene, { wrap: (argv) => [...argv, 'owner-marker-xyz'] })
})
