// One command of the native core below the shared handle.

import { constants } from 'node:os'
import { SubprocessError } from '../../errors/subprocess-error.js'
import { type NativeEvent, type NativeProcess, nativeCauses, nativeStages } from '../../native/binding.js'
import type { DriverEvents, DriverExit, OutputSource, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import type { RangeKind, TerminationCause } from '../types.js'
import { NativeOutput } from './native-output.js'
import { openRawStreams, type RawStreams } from './raw-streams.js'
import { systemError } from './system-error.js'

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]))

export class NativeDriver implements ProcessDriver {
  readonly range: RangeKind
  readonly stdin: RawStreams['stdin']
  readonly stdout: RawStreams['stdout']
  readonly stderr: RawStreams['stderr']
  readonly control: RawStreams['control']
  readonly output: { readonly stdout?: OutputSource; readonly stderr?: OutputSource }
  readonly #process: NativeProcess
  readonly #prepared: PreparedSpawn
  readonly #events: DriverEvents
  #settled = false
  #quiescent = false

  constructor(process: NativeProcess, range: RangeKind, prepared: PreparedSpawn, events: DriverEvents) {
    this.range = range
    this.#process = process
    this.#prepared = prepared
    this.#events = events
    const streams = openRawStreams(process)
    this.stdin = streams.stdin
    this.stdout = streams.stdout
    this.stderr = streams.stderr
    this.control = streams.control
    const { stdout, stderr } = prepared.stdio
    this.output = {
      ...(typeof stdout === 'object' && { stdout: new NativeOutput(process, 0) }),
      ...(typeof stderr === 'object' && { stderr: new NativeOutput(process, 1) })
    }
  }

  get pid(): number {
    return this.#process.pid
  }

  get cause(): TerminationCause | null {
    return nativeCauses[this.#process.cause]
  }

  /** Nothing more will be reported. */
  get over(): boolean {
    return this.#settled && this.#quiescent
  }

  terminate(): void {
    this.#process.terminate()
  }

  kill(): void {
    this.#process.kill()
  }

  /** What the core reports of this process. */
  handle(event: NativeEvent): void {
    switch (event.kind) {
      case 'failed':
        this.#settled = this.#quiescent = true
        this.#events.failed(this.#startError(event.stage, event.errno, event.path))
        break
      case 'settled':
        this.#settled = true
        this.#process.accountMemory()
        this.#events.settled(toExit(event))
        break
      case 'quiescent':
        this.#quiescent = true
        this.#events.quiescent()
        break
      case 'unobservable':
        this.#events.unobservable(systemError(event.error, 'the processes of the command cannot be observed any more'))
        break
    }
  }

  #startError(stage: keyof typeof nativeStages, errno: number, path: string): SubprocessError {
    const name = nativeStages[stage]
    const argv0 = this.#prepared.argv[0] ?? ''
    const subject = name === 'chdir' ? this.#prepared.cwd : path === '' ? undefined : path
    return new SubprocessError({ stage: name, errno, argv0, path: subject })
  }
}

function toExit(event: NativeEvent & { kind: 'settled' }): DriverExit {
  const { exitCode, signal, wallMs, userMs, systemMs, maxRssBytes, quiescent } = event
  return {
    exitCode,
    signal: signal === null ? null : (signalNames.get(signal) ?? (`SIG${signal}` as NodeJS.Signals)),
    cause: nativeCauses[event.cause],
    usage: { wallMs, userMs, systemMs, maxRssBytes },
    quiescent
  }
}
