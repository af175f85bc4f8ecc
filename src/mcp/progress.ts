// Tells a client that asks for it that its call is still being worked on: many give up on a request after a minute of silence.

import type { CallToolResult, ServerNotification } from '@modelcontextprotocol/sdk/types.js'

export interface ProgressTarget {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  sendNotification(notification: ServerNotification): Promise<void>
}

const everyMs = 5_000

export async function whileCalling(
  { _meta, sendNotification }: ProgressTarget,
  perform: () => Promise<CallToolResult>
): Promise<CallToolResult> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return perform()
  const startedAt = performance.now()
  const tell = (): void => {
    const progress = Math.round((performance.now() - startedAt) / 1000)
    const params = { progressToken, progress, message: `running for ${progress} s` }
    // A client that has gone is noticed elsewhere.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {})
  }
  const timer = setInterval(tell, everyMs)
  try {
    return await perform()
  } finally {
    clearInterval(timer)
  }
}
