// What is left of a folder of spill files when its host was killed. Two marks tell what to do about it; the native core
// sets and reads the same, and native/output/spill_leftovers.h says what they mean: the link `owner`, and the sticky bit
// of files that nobody has claimed. Without /proc there are no marks, and nothing is swept.

import * as fs from 'node:fs'
import { join } from 'node:path'

export const unclaimedMode = 0o1600

const ownerMark = 'owner'
const folderName = /^quiesce-\d+-[0-9a-f]{12}$/
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants

/** Says whose `folder` is, for whoever finds it later. Without the mark it stays if this process is killed. */
export function markOwner(folder: string): void {
  try {
    fs.symlinkSync(`${place()}/${process.pid}`, join(folder, ownerMark))
  } catch {
    // No /proc, or a file system without links.
  }
}

/** Of this user only. Removes what hosts left that were killed, except what was claimed. Never rejects. */
export async function sweepSpillFolders(parent: string): Promise<void> {
  try {
    for (const name of await fs.promises.readdir(parent)) {
      if (folderName.test(name)) sweep(join(parent, name))
    }
  } catch {
    // There is no such folder, or it cannot be listed: then nothing of ours is to be found in it.
  }
}

/** Which boot of which machine, and which namespace of processes there. */
function place(): string {
  return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${fs.readlinkSync('/proc/self/ns/pid')}`
}

function sweep(path: string): void {
  let folder: number
  try {
    folder = fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch {
    return
  }
  try {
    // By the descriptor: whatever stands in its place meanwhile is not touched.
    const inside = `/proc/self/fd/${folder}`
    const mark = join(inside, ownerMark)
    if (fs.fstatSync(folder).uid !== process.geteuid?.() || !isDead(fs.readlinkSync(mark))) return
    for (const name of fs.readdirSync(inside)) removeUnclaimed(join(inside, name))
    fs.unlinkSync(mark)
    fs.rmdirSync(path)
  } catch {
    // Without a mark, or gone meanwhile, or with claimed files in it.
  } finally {
    fs.closeSync(folder)
  }
}

function removeUnclaimed(path: string): void {
  const facts = fs.lstatSync(path)
  if (facts.isFile() && facts.uid === process.geteuid?.() && (facts.mode & 0o1000) !== 0) fs.unlinkSync(path)
}

/** False also for an owner that cannot be seen from here. */
function isDead(mark: string): boolean {
  const here = `${place()}/`
  const pid = mark.startsWith(here) ? mark.slice(here.length) : ''
  if (!/^[1-9]\d*$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
