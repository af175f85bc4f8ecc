import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDoors } from '../../../src/sandbox/local/doors.js'
import type { SandboxProfile } from '../../../src/sandbox/local/profile.js'
import { usePlaces } from '../../fixtures/sandbox/places.js'

const { outside } = usePlaces()
const door = join(outside, 'engine.sock')
const profile: SandboxProfile = { mode: 'read-only', workspaceRoot: '/', roots: [], hidden: [], network: 'none' }

let server: Server
beforeAll(async () => {
  server = createServer().listen(door)
  await once(server, 'listening')
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

it('a socket that leads out is warned of, with the folder to hide', () => {
  expect(openDoors(profile, [door, join(outside, 'none.sock')])).toEqual([
    `commands can reach the socket ${door}, whose service is not confined: name ${outside} in hiddenPaths`
  ])
})

it.each([
  ['itself', { path: door, isFolder: false }],
  ['its folder', { path: outside, isFolder: true }]
])('a socket is not warned of where %s is hidden', (_, hidden) => {
  expect(openDoors({ ...profile, hidden: [hidden] }, [door])).toEqual([])
})
