// A worker thread that starts a command of its own and says so.

import { parentPort, workerData } from 'node:worker_threads'
import { createContext } from '../../src/context/create-context.js'

const { command, subprocess } = workerData
const { shell } = await createContext({ subprocess })
const execution = await shell.execute(shell.resolve({ command, onExpiry: 'none' }))
if (command === 'true') await execution.result()
parentPort?.postMessage('started')
// Until it is terminated.
setInterval(() => {}, 1000)
