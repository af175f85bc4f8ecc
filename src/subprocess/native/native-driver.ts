// One command of the native core below the shared handle.

import { constants } from 'node:os'
import { SubprocessError, type SubprocessStage } from '../../errors/subprocess-error.js'
import {
  eventField,
  eventKinds,
  type NativeProcess,
  type NativeSystemError,
  nativeCauses,
  nativeStages
} from '../../native/binding.js'
import type { DriverEvents, DriverExit, OutputSource, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import type { RangeKind, TerminationCause } from '../types.js'
import { limitError } from './limit-error.js'
import { NativeOutput } from './native-output.js'
import { noRawStreams, openRawStreams, type RawStreams, wantsRawStreams } from './raw-streams.js'
import { systemError } from './system-error.js'

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]))

/** The error that a `failed` event of a command is about; not for the stage `limits`. */
export function startError(
  batch: Float64Array,
  at: number,
  { path, syscall }: NativeSystemError,
  { argv, cwd }: { readonly argv: readonly string[]; readonly cwd: string }
): SubprocessError {
  const stage = stageOf(batch, at) as SubprocessStage
  const errno = batch[at + eventField.errno] as number
  const argv0 = argv[0] ?? ''
  if (stage === 'sandbox') return new SubprocessError({ stage, errno, argv0, sandbox: { step: syscall, detail: path } })
  const subject = stage === 'chdir' ? cwd : path === '' ? undefined : path
  return new SubprocessError({ stage, errno, argv0, path: subject })
}

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
    const { stdout, stderr } = prepared.stdio
    const streams = wantsRawStreams(prepared) ? openRawStreams(process) : noRawStreams
    this.stdin = streams.stdin
    this.stdout = streams.stdout
    this.stderr = streams.stderr
    this.control = streams.control
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

  /** What the core reports of this process: an event of the batch. */
  handle(batch: Float64Array, at: number): void {
    switch (batch[at + eventField.kind]) {
      case eventKinds.failed:
        this.#settled = this.#quiescent = true
        this.#events.failed(this.#startError(batch, at))
        break
      case eventKinds.settled:
        this.#settled = true
        this.#process.accountMemory()
        this.#events.settled(toExit(batch, at))
        break
      case eventKinds.quiescent:
        this.#quiescent = true
        this.#events.quiescent()
        break
      default:
        this.#events.unobservable(unobservableError(this.#process.trouble()))
    }
  }

  #startError(batch: Float64Array, at: number): Error {
    const trouble = this.#process.trouble()
    if (stageOf(batch, at) === 'limits') return limitError(trouble, this.#prepared.limits, this.range)
    return startError(batch, at, trouble, this.#prepared)
  }
}

function stageOf(batch: Float64Array, at: number): SubprocessStage | 'limits' {
  return nativeStages[batch[at + eventField.stage] as keyof typeof nativeStages]
}

export function unobservableError(trouble: NativeSystemError): Error {
  // SupervisorRange::IsEmpty in native/range/supervisor_range.cc.
  const killed = trouble.syscall === 'supervisor' ? ', since its supervisor was killed' : ''
  return systemError(trouble, `the processes of the command cannot be observed any more${killed}`)
}

export function toExit(batch: Float64Array, at: number): DriverExit {
  const number = (field: number): number => batch[at + field] as number
  const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
  const signal = orNull(number(eventField.signal))
  return {
    exitCode: orNull(number(eventField.exitCode)),
    signal: signal === null ? null : (signalNames.get(signal) ?? (`SIG${signal}` as NodeJS.Signals)),
    cause: nativeCauses[number(eventField.cause) as keyof typeof nativeCauses],
    usage: {
      wallMs: number(eventField.wallMs),
      userMs: orNull(number(eventField.userMs)),
      systemMs: orNull(number(eventField.systemMs)),
      maxRssBytes: orNull(number(eventField.maxRssBytes)),
      treeCpuMs: orNull(number(eventField.treeCpuMs)),
      memoryPeakBytes: orNull(number(eventField.memoryPeakBytes)),
      pidsPeak: orNull(number(eventField.pidsPeak)),
      oomKills: orNull(number(eventField.oomKills))
    },
    quiescent: number(eventField.quiescent) === 1
  }
}
