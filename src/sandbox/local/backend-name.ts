// The names by which the local backends are chosen and told.

export type SandboxBackendName = 'native' | 'bwrap' | 'landlock' | 'seatbelt'

export const backendNames: readonly SandboxBackendName[] = ['native', 'bwrap', 'landlock', 'seatbelt']
