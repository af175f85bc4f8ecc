#!/usr/bin/env node
// The command `quiesce`. Ends by an explicit exit: an open stdin must not keep the process.

import { runCli } from './program.js'

process.exit(await runCli(process.argv.slice(2)))
