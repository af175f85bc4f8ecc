// The little of the peers that the bench uses. Written out here so that the types are checked where no peer is installed.

declare module 'execa' {
  import type { ChildProcess } from 'node:child_process'

  interface Options {
    readonly stdin?: 'ignore'
    readonly buffer?: boolean
  }

  export function execa(
    file: string,
    args: readonly string[],
    options?: Options
  ): ChildProcess & Promise<{ readonly stdout?: string; readonly stderr?: string }>
}

declare module 'nano-spawn' {
  export default function spawn(
    file: string,
    args: readonly string[],
    options?: { readonly stdin?: 'ignore' }
  ): Promise<{ readonly stdout: string; readonly stderr: string }>
}

declare module 'tinyexec' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process'

  interface Output {
    readonly stdout: string
    readonly stderr: string
    readonly exitCode: number | undefined
  }

  export function x(
    file: string,
    args: readonly string[],
    options?: { readonly throwOnError?: boolean; readonly nodeOptions?: SpawnOptions }
  ): PromiseLike<Output> & { readonly process: ChildProcess | undefined }
}

declare module '@deepseek-ai/dsh-subprocess-local' {
  const plugin: new (ctx: import('@deepseek-ai/cordis').Context) => object
  export default plugin
}

declare module '@anthropic-ai/sandbox-runtime' {
  interface Config {
    readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] }
    readonly filesystem: Readonly<Record<'denyRead' | 'allowWrite' | 'denyWrite', readonly string[]>>
  }

  export const SandboxManager: {
    initialize(config: Config): Promise<void>
    wrapWithSandbox(command: string): Promise<string>
    reset(): Promise<void>
  }
}

declare module 'echarts' {
  interface Chart {
    setOption(option: object): void
    renderToSVGString(): string
    dispose(): void
  }

  export function init(
    element: null,
    theme: null,
    options: { renderer: 'svg'; ssr: true; width: number; height: number }
  ): Chart
}

interface WebChild {
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  kill(signal?: string): void
}

declare const Bun: {
  readonly version: string
  spawn(
    argv: readonly string[],
    options: { readonly stdin: 'ignore'; readonly stdout: 'pipe'; readonly stderr: 'pipe' }
  ): WebChild & { readonly exited: Promise<number> }
}

declare const Deno: {
  readonly version: { readonly deno: string }
  readonly Command: new (
    program: string,
    options: { args: readonly string[]; stdin: 'null'; stdout: 'piped'; stderr: 'piped' }
  ) => {
    spawn(): WebChild & { readonly status: Promise<{ readonly code: number }> }
  }
}
