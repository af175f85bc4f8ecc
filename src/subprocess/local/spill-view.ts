// Output as it is to be seen after disposal: a spill file that was removed is not named any more.

import type { OutputSource, OutputWindow } from './driver.js'
import type { SpillFolder } from './spill-folder.js'

export function withoutRemovedSpill(source: OutputSource, folder: SpillFolder): OutputSource {
  return {
    read(offset): OutputWindow {
      const window = source.read(offset)
      if (window.spillPath === null || !folder.isRemoved(window.spillPath)) return window
      return { ...window, spillPath: null }
    },
    get totalBytes() {
      return source.totalBytes
    },
    get ended() {
      return source.ended
    },
    get spillError() {
      return source.spillError
    }
  }
}
