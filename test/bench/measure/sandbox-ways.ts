// Without a sandbox, with this library's native one by its short and by its long way, and with two others.

export const sandboxWays = ['none', 'native', 'runner', 'bwrap', 'sandbox-runtime'] as const
export type SandboxWay = (typeof sandboxWays)[number]
