import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markOwner, sweepSpillFolders, unclaimedMode } from '../../../src/subprocess/local/spill-leftovers.js'

let root: string

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'leftovers-test-'))
})

afterEach(() => fs.rmSync(root, { recursive: true }))

/** The mark of this process, and that of one of the same place that has ended. */
function marks(): { own: string; place: string; dead: string } {
  markOwner(root)
  const own = fs.readlinkSync(join(root, 'owner'))
  fs.unlinkSync(join(root, 'owner'))
  const place = own.slice(0, own.lastIndexOf('/') + 1)
  return { own, place, dead: `${place}${spawnSync('true').pid}` }
}

/** A folder with one unclaimed and one claimed file; without a mark if `owner` is null. */
function add(name: string, owner: string | null): string {
  const folder = join(root, name)
  fs.mkdirSync(folder, { mode: 0o700 })
  fs.closeSync(fs.openSync(join(folder, 'unclaimed'), 'wx', unclaimedMode))
  fs.closeSync(fs.openSync(join(folder, 'claimed'), 'wx', 0o600))
  if (owner !== null) fs.symlinkSync(owner, join(folder, 'owner'))
  return folder
}

describe.skipIf(process.platform !== 'linux')('a sweep of spill folders', () => {
  it('removes what nobody has claimed of a dead owner, and a folder that this empties', async () => {
    const { dead } = marks()
    const kept = add('quiesce-1-0123456789ab', dead)
    fs.rmSync(join(add('quiesce-2-0123456789ab', dead), 'claimed'))
    await sweepSpillFolders(root)
    expect([fs.readdirSync(root), fs.readdirSync(kept)]).toEqual([['quiesce-1-0123456789ab'], ['claimed']])
  })

  it('touches no folder whose owner lives, cannot be judged from here or is not named, and none of another name', async () => {
    const { own, place, dead } = marks()
    const [boot = ''] = own.split('/')
    const number = dead.slice(place.length)
    const owners = [
      own,
      null,
      `otherboot/pid:[4026531836]/${number}`,
      `${boot}/pid:[1]/${number}`,
      `${place}-1`,
      `${place}0`,
      `${dead}x`,
      place,
      'x'
    ]
    const folders = [
      ...owners.map((owner, index) => add(`quiesce-${index}-0123456789ab`, owner)),
      ...['quiesce-1-0123456789', 'quiesce-x-0123456789ab', 'other'].map((name) => add(name, dead))
    ]
    await sweepSpillFolders(root)
    expect(folders.filter((folder) => !fs.existsSync(join(folder, 'unclaimed')))).toEqual([])
  })

  it('follows no link, neither in the place of a folder nor in one', async () => {
    const { dead } = marks()
    const elsewhere = add('elsewhere', dead)
    fs.symlinkSync(elsewhere, join(root, 'quiesce-1-0123456789ab'))
    const swept = add('quiesce-2-0123456789ab', dead)
    fs.symlinkSync(join(elsewhere, 'unclaimed'), join(swept, 'link'))
    await sweepSpillFolders(root)
    expect([fs.readdirSync(elsewhere).sort(), fs.readdirSync(swept).sort()]).toEqual([
      ['claimed', 'owner', 'unclaimed'],
      ['claimed', 'link']
    ])
  })

  it('of a folder that is not there does nothing', async () => {
    expect(await sweepSpillFolders(join(root, 'missing'))).toBeUndefined()
  })
})
