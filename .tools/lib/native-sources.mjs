// The C and C++ files that git knows or would add, for the formatter and the linter.

import { capture } from './run.mjs'

export function nativeFiles(...extensions) {
  const listing = capture('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'native', 'test']) ?? ''
  return listing.split('\n').filter((path) => extensions.some((extension) => path.endsWith(`.${extension}`)))
}
