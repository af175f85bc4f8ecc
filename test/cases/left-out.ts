// Every case that is no test yet, and why: those of later parts of this library, and those that this kind of machine cannot make.

const terminal = 'needs a terminal session, which this library does not have yet'

export const leftOut: ReadonlyMap<string, string> = new Map([
  ...['B60', 'B61', 'B64'].map((id) => [id, terminal] as const),
  ['B51', 'needs a build for musl, which takes a compiler for it'],
  ['B89', 'needs strict overcommit, a setting of the whole machine and not of a namespace'],
  ['B109', 'needs a running container engine; documented as a limit']
])
