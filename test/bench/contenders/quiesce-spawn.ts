// This library at its lower seam: argv in, both streams collected, each command waited for until its range is proven empty.

import { createContext } from 'quiesce'
import { runSeamContender } from '../measure/seam.js'

const context = await createContext()
const { subprocess } = context

await runSeamContender(subprocess, {
  waitsFor: `${subprocess.range.kind} proven empty`,
  note: `${subprocess.constructor.name}, ${subprocess.range.kind} range`,
  dispose: () => context.dispose()
})
