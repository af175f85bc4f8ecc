// What the command line needs to serve the tools over the Model Context Protocol. Only re-exports.

export { loadMcpSdk } from './sdk.js'
export { serve } from './serve.js'
export { makeServer } from './server.js'
export { toolsOf } from './tools.js'
