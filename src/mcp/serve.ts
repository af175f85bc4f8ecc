// Serves over the two ends of a pipe for as long as somebody is at the other end: the client that closes its end, dies or
// vanishes is over, and so is the call that is still open. What ran for it is ended by whoever owns the context.

import type { Readable, Writable } from 'node:stream'
import type { McpSdk, McpServer } from './sdk.js'

export interface Ends {
  readonly stdin: Readable
  readonly stdout: Writable
  /** Ends the service. */
  readonly signal: AbortSignal
}

/** The SDK's transport takes no notice of the end of its input, nor of an output that nobody reads any more. */
function whenOver(server: McpServer, { stdin, stdout, signal }: Ends): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => resolve()
    server.onclose = over
    for (const event of ['end', 'close', 'error']) stdin.once(event, over)
    // Every later write fails too, and an error that nobody listens for would end the process.
    stdout.on('error', over)
    signal.addEventListener('abort', over, { once: true })
    if (signal.aborted) over()
  })
}

/** Resolves when the client is gone or `signal` aborts; every open call has been aborted then. */
export async function serve({ StdioServerTransport }: McpSdk, server: McpServer, ends: Ends): Promise<void> {
  const over = whenOver(server, ends)
  await server.connect(new StdioServerTransport(ends.stdin, ends.stdout))
  await over
  await server.close()
}
