// A host with memory in use. Buffers rather than JavaScript objects: what fork copies is page tables, whoever owns the pages,
// and buffers do not add pauses of the garbage collector to what is measured.

const pieceBytes = 64 * 1024

/** `bytes` of live memory, every page written to and so resident. Alive for as long as the returned array is. */
export function ballast(bytes: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let total = 0; total < bytes; total += pieceBytes) pieces.push(Buffer.alloc(pieceBytes, 1))
  return pieces
}
