// Every case that is no test, and why: those that this kind of machine cannot make.

export const leftOut: ReadonlyMap<string, string> = new Map([
  ['B51', 'needs a build for musl, which takes a compiler for it'],
  ['B89', 'needs strict overcommit, a setting of the whole machine and not of a namespace'],
  ['B109', 'needs a running container engine; documented as a limit']
])
