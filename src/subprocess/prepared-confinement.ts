// The short way into a sandbox: what stands for an argv that confines itself, in a runtime that can put a command into a
// confinement by itself. Made by sandbox providers; nothing is prepared before the first command needs it.

export interface PreparedConfinementParts {
  /** The absolute path of `quiesce-runner`, which prepares. */
  readonly runner: string
  /** Its options, as in front of the `--` of its `confine`. Hidden paths that do not exist yet belong to them too. */
  readonly options: readonly string[]
  /** The command itself. */
  readonly argv: readonly string[]
  /** The argv that confines itself, for every other runtime. */
  readonly confinedArgv: readonly string[]
}

export class PreparedConfinement {
  /** What is started inside. */
  readonly argv: readonly string[]
  /** The program that prepares and its options, each followed by one NUL: equal ones share what is prepared. */
  readonly order: string
  readonly #confinedArgv: readonly string[]

  constructor({ runner, options, argv, confinedArgv }: PreparedConfinementParts) {
    this.argv = Object.freeze([...argv])
    this.order = `${[runner, ...options].join('\0')}\0`
    this.#confinedArgv = Object.freeze([...confinedArgv])
    Object.freeze(this)
  }

  /** Whether `argv` is the command line that this stands for: nothing else may be replaced by it, nor it by anything else. */
  standsFor(argv: readonly string[]): boolean {
    const own = this.#confinedArgv
    return argv.length === own.length && own.every((text, index) => argv[index] === text)
  }
}
