// The examples are plain JavaScript, so that any Node runs them as they are. What their tests call:

declare module '*/openai-tools.mjs' {
  type Ask = (request: { readonly messages: readonly object[]; readonly tools: readonly object[] }) => Promise<object>
  export function runAgent(task: string, complete: Ask, options?: object): Promise<string>
}

declare module '*/anthropic-tools.mjs' {
  type Ask = (request: { readonly messages: readonly object[]; readonly tools: readonly object[] }) => Promise<object>
  export function runAgent(task: string, create: Ask, options?: object): Promise<string>
}

declare module '*/vercel-ai.mjs' {
  export function runAgent(task: string, model: import('ai').LanguageModel, options?: object): Promise<string>
}
