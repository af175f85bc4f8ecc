// What stands in the folders of an arena: the files outside, and a workspace with what was in it before the command.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { place } from './place.js'
import type { ArenaTask } from './task.js'
import { pathsBelow } from './walk.js'

export const otherUid = 4343

export const hiddenPaths = [
  { path: join(place.workspace, 'hidden'), isFolder: true },
  { path: join(place.workspace, 'deep/hidden'), isFolder: true },
  { path: join(place.workspace, '.hidden'), isFolder: false }
]

/** Nodes of the disk stay: to make one takes a program of its own. */
export function clear(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (name !== 'disk') fs.rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function makeDisk(path: string, { major, minor }: ArenaTask['disk']): void {
  if (!fs.existsSync(path)) execFileSync('mknod', ['-m', '666', path, 'b', `${major}`, `${minor}`])
}

function give(folder: string, uid: number): void {
  for (const path of pathsBelow(folder)) fs.lchownSync(path, uid, uid)
  chownSync(folder, uid, uid)
  chmodSync(folder, 0o755)
}

function fillOutside({ uid, disk }: ArenaTask): void {
  const outside = (name: string): string => join(place.out, name)
  for (const name of ['f', 'g', 'stdin', 'linked']) writeFileSync(outside(name), `outside ${name}\n`, { mode: 0o644 })
  mkdirSync(outside('empty'))
  makeDisk(outside('disk'), disk)
  give(place.out, uid)
  writeFileSync(outside('protected'), 'root\n', { mode: 0o600 })
  writeFileSync(outside('others'), 'other\n', { mode: 0o600 })
  chownSync(outside('others'), otherUid, otherUid)
  fs.copyFileSync(place.attack, outside('set-id'))
  chmodSync(outside('set-id'), 0o4755)
}

export function fillWorkspace({ uid, disk }: ArenaTask, secret: string): void {
  for (const folder of [place.workspace, place.temp]) clear(folder)
  const inside = (name: string): string => join(place.workspace, name)
  writeFileSync(inside('x'), 'inside\n', { mode: 0o644 })
  for (const name of ['mnt', 'hidden', 'deep', 'deep/hidden']) mkdirSync(inside(name))
  for (const name of ['hidden/secret', 'deep/hidden/secret', '.hidden']) writeFileSync(inside(name), `${secret}\n`)
  makeDisk(inside('disk'), disk)
  symlinkSync(join(place.out, 'f'), inside('link-file'))
  symlinkSync(place.out, inside('link-folder'))
  give(place.workspace, uid)
  fs.linkSync(join(place.out, 'linked'), inside('hard'))
  give(place.temp, uid)
}

export function fillFolders(task: ArenaTask, secret: string): void {
  clear(place.out)
  fillOutside(task)
  fillWorkspace(task, secret)
}
