// Every public method and option with what its errors must name, as a call with one value in the place in question.

import * as api from '../../src/index.js'

type Call = (value: never) => unknown
export type Row = readonly [method: string, option: RegExp, call: Call, belonging: readonly string[]]

const nothingOr = (...more: string[]): string[] => ['undefined', ...more]
const delays = ['a number', 'a fraction']
const texts = ['a text']
const objects = ['an empty object', 'an object with nothing above it']

export const request = { command: 'true' }
export const spec: api.SubprocessSpawnSpec = {
  argv: ['true'],
  cwd: '/',
  graceMs: 1000,
  stdio: { stdin: 'ignore', stdout: { maxBytes: 100 }, stderr: 'ignore' }
}

/** Environments that name nothing and so pass. */
const environments = [...objects, 'a Date']

const job: api.JobSpec = { kind: 'work', label: 'work', run: () => ({ cancel: () => {}, done: new Promise(() => {}) }) }

/** What belongs where it is no number. */
const jobValues: Readonly<Record<string, readonly string[]>> = { disposeTimeoutMs: delays, serves: ['a function'] }

const jobSpecValues: Readonly<Record<string, readonly string[]>> = {
  kind: texts,
  label: texts,
  owner: nothingOr(...texts),
  outputLimitBytes: nothingOr('a number'),
  run: ['a function']
}

/** `belonging` are the values that a method takes. */
export function rows(context: api.Context, execution: api.ShellExecution, raw: api.SubprocessHandle): Row[] {
  const { shell, subprocess, jobs } = context
  const resolve =
    (name: string): Call =>
    (value) =>
      shell.resolve({ ...request, [name]: value } as never)
  const executeWith =
    (name: string): Call =>
    (value) =>
      shell.execute({ ...shell.resolve(request), [name]: value } as never)
  const spawnWith =
    (name: string): Call =>
    (value) =>
      subprocess.spawn({ ...spec, [name]: value } as never)
  const stdioWith =
    (name: string): Call =>
    (value) =>
      subprocess.spawn({ ...spec, stdio: { ...spec.stdio, [name]: value } } as never)
  const makeWith =
    (section: string, name: string): Call =>
    (value) =>
      api.createContext({ [section]: { [name]: value } } as never).then((made) => made.dispose())
  return [
    [
      'createContext',
      /options|toString/,
      (value) => api.createContext(value).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    [
      'createContext cwd',
      /cwd/,
      (value) => api.createContext({ cwd: value }).then((made) => made.dispose()),
      nothingOr('a text')
    ],
    [
      'createContext shell',
      /shell/,
      (value) => api.createContext({ shell: value }).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    ...['timeoutMs', 'maxTimeoutMs', 'graceMs'].map(
      (name): Row => [
        `createContext shell.${name}`,
        new RegExp(`shell\\.${name}`),
        makeWith('shell', name),
        nothingOr(...delays)
      ]
    ),
    ...['maxOutputBytes', 'maxSpillBytes'].map(
      (name): Row => [
        `createContext shell.${name}`,
        new RegExp(`shell\\.${name}`),
        makeWith('shell', name),
        nothingOr('a number')
      ]
    ),
    ['createContext shell.limits', /shell\.limits/, makeWith('shell', 'limits'), nothingOr(...environments)],
    [
      'createContext subprocess',
      /subprocess/,
      (value) => api.createContext({ subprocess: value }).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    ...['provider', 'ranges', 'cgroupParent', 'onHostCrash'].map(
      (name): Row => [
        `createContext subprocess.${name}`,
        new RegExp(`subprocess\\.${name}`),
        makeWith('subprocess', name),
        nothingOr(...(name === 'cgroupParent' ? texts : []))
      ]
    ),
    [
      'createContext subprocess.spillDir',
      /subprocess\.spillDir/,
      makeWith('subprocess', 'spillDir'),
      nothingOr('a text')
    ],
    [
      'createContext jobs',
      /jobs/,
      (value) => api.createContext({ jobs: value }).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    ...['maxActivePerOwner', 'maxEndedPerOwner', 'outputLimitBytes', 'disposeTimeoutMs', 'serves'].map(
      (name): Row => [
        `createContext jobs.${name}`,
        new RegExp(`jobs\\.${name}`),
        makeWith('jobs', name),
        nothingOr(...(jobValues[name] ?? ['a number']))
      ]
    ),
    [
      'createContext onWarning',
      /onWarning/,
      (value) => api.createContext({ onWarning: value }).then((made) => made.dispose()),
      nothingOr('a function')
    ],
    [
      'new NodeSubprocessRuntime',
      /options|text|toString/,
      (value) => new api.NodeSubprocessRuntime(value),
      nothingOr(...objects, 'a Map', 'a Date', 'a Promise', 'an empty list', 'a list', 'an object whose texts throw')
    ],
    ['new LocalBashExecutor', /options|subprocess|0|toString/, (value) => new api.LocalBashExecutor(value), []],
    [
      'new LocalJobRegistry',
      /options|text|toString/,
      (value) => new api.LocalJobRegistry(value),
      nothingOr(...environments)
    ],
    ...Object.entries(jobSpecValues).map(
      ([name, belonging]): Row => [
        `start ${name}`,
        new RegExp(`spec\\.${name}`),
        (value) => jobs.start({ ...job, [name]: value }),
        belonging
      ]
    ),
    ['start', /spec/, (value) => jobs.start(value), []],
    ['start run that returns', /spec\.run/, (value) => jobs.start({ ...job, run: () => value }), []],
    ['preflight', /spec/, (value) => jobs.preflight(value), []],
    ['get of a job', /id/, (value) => jobs.get(value), anyText],
    [
      'get of a job on behalf of',
      /request\.owner/,
      (value) => jobs.get('work-1', { owner: value }),
      nothingOr('a text')
    ],
    ['list', /request/, (value) => jobs.list(value), nothingOr(...environments)],
    ['read of a job', /request/, (value) => jobs.read('work-1', value), nothingOr(...environments)],
    ['read of a job from', /request\.from/, (value) => jobs.read('work-1', { from: value }), nothingOr()],
    [
      'read of a job maxBytes',
      /request\.maxBytes/,
      (value) => jobs.read('work-1', { maxBytes: value }),
      nothingOr('a number')
    ],
    ['wait for a job', /request/, (value) => jobs.wait('work-1', value), nothingOr(...environments)],
    [
      'wait for a job timeoutMs',
      /request\.timeoutMs/,
      (value) => jobs.wait('work-1', { timeoutMs: value }),
      nothingOr('zero', ...delays)
    ],
    ['wait for a job signal', /request\.signal/, (value) => jobs.wait('work-1', { signal: value }), nothingOr()],
    ['kill of a job', /request/, (value) => jobs.kill('work-1', value), nothingOr(...environments)],
    [
      'kill of a job reason',
      /request\.reason/,
      (value) => jobs.kill('work-1', { reason: value }),
      nothingOr(...anyText)
    ],
    ['forget', /request/, (value) => jobs.forget('work-1', value), nothingOr(...environments)],
    ['onCompletion', /listener/, (value) => jobs.onCompletion(value), ['a function']],
    ['disposeOwner', /owner/, (value) => jobs.disposeOwner(value), ['a text']],
    ['resolve', /request/, (value) => shell.resolve(value), []],
    ['resolve command', /request\.command/, resolve('command'), texts],
    ['resolve workdir', /request\.workdir/, resolve('workdir'), nothingOr(...texts)],
    [
      'resolve timeoutMs',
      /request\.timeoutMs/,
      resolve('timeoutMs'),
      nothingOr(...delays, 'a number beyond the safe ones')
    ],
    ['resolve stdoutMaxBytes', /request\.stdoutMaxBytes/, resolve('stdoutMaxBytes'), nothingOr('a number')],
    ['resolve signal', /request\.signal/, resolve('signal'), nothingOr()],
    ['resolve stdin', /request\.stdin/, resolve('stdin'), nothingOr(...texts, 'an empty text', 'a text with NUL')],
    ['resolve env', /request\.env/, resolve('env'), nothingOr(...environments)],
    ['resolve dshEnv', /request\.dshEnv/, resolve('dshEnv'), nothingOr(...environments)],
    ['resolve onExpiry', /request\.onExpiry/, resolve('onExpiry'), nothingOr()],
    ['resolve leftovers', /request\.leftovers/, resolve('leftovers'), nothingOr()],
    ['resolve limits', /request\.limits/, resolve('limits'), nothingOr(...environments)],
    ...(['memoryBytes', 'pids', 'cpuSeconds', 'fileBytes', 'openFiles'] as const).map(
      (name): Row => [
        `resolve limits.${name}`,
        new RegExp(`request\\.limits\\.${name}`),
        (value) => resolve('limits')({ [name]: value } as never),
        nothingOr('a number')
      ]
    ),
    [
      'resolve limits.cpus',
      /request\.limits\.cpus/,
      (value) => resolve('limits')({ cpus: value } as never),
      nothingOr(...delays)
    ],
    ['run', /request/, (value) => shell.run(value), []],
    ['execute', /spec/, (value) => shell.execute(value), []],
    ...['timeoutMs', 'graceMs'].map(
      (name): Row => [`execute ${name}`, new RegExp(`spec\\.${name}`), executeWith(name), delays]
    ),
    ...['stdoutMaxBytes', 'stderrMaxBytes', 'maxSpillBytes'].map(
      (name): Row => [`execute ${name}`, new RegExp(`spec\\.${name}`), executeWith(name), ['a number']]
    ),
    ['spawn', /spec|graceMs/, (value) => subprocess.spawn(value), []],
    ['spawn argv', /argv/, spawnWith('argv'), ['a list']],
    [
      'spawn argv[1]',
      /argv/,
      (value) => subprocess.spawn({ ...spec, argv: ['true', value] }),
      ['a text', 'an empty text']
    ],
    ['spawn cwd', /cwd/, spawnWith('cwd'), texts],
    ['spawn graceMs', /graceMs/, spawnWith('graceMs'), delays],
    ['spawn deadlineMs', /deadlineMs/, spawnWith('deadlineMs'), nothingOr(...delays)],
    ['spawn signal', /signal/, spawnWith('signal'), nothingOr()],
    ['spawn env', /env/, spawnWith('env'), nothingOr(...environments)],
    ['spawn leftovers', /leftovers/, spawnWith('leftovers'), nothingOr()],
    ['spawn limits', /limits/, spawnWith('limits'), nothingOr(...environments)],
    ['spawn confinement', /confinement/, spawnWith('confinement'), nothingOr()],
    ['spawn stdio', /stdio/, spawnWith('stdio'), []],
    ...['stdin', 'stdout', 'stderr'].map(
      (name): Row => [`spawn stdio.${name}`, new RegExp(`stdio\\.${name}`), stdioWith(name), []]
    ),
    ['spawn stdio.control', /stdio\.control/, stdioWith('control'), nothingOr()],
    ['spawn stdio.attachment', /stdio\.attachment/, stdioWith('attachment'), nothingOr()],
    [
      'spawn stdio.stdout.maxBytes',
      /stdio\.stdout\.maxBytes/,
      (value) => stdioWith('stdout')({ maxBytes: value } as never),
      ['a number']
    ],
    [
      'spawn stdio.stdout.spill',
      /stdio\.stdout\.spill/,
      (value) => stdioWith('stdout')({ maxBytes: 5, spill: value } as never),
      nothingOr()
    ],
    [
      'spawn stdio.stdin.data',
      /stdio\.stdin/,
      (value) => stdioWith('stdin')({ data: value } as never),
      ['a text', 'an empty text', 'a text with NUL']
    ],
    ['resolveExecutable', /command/, (value) => subprocess.resolveExecutable(value), ['a text', 'an empty text']],
    [
      'resolveExecutable env',
      /env/,
      (value) => subprocess.resolveExecutable('bash', value),
      nothingOr(...environments)
    ],
    ['resolveExecutable signal', /signal/, (value) => subprocess.resolveExecutable('bash', {}, value), nothingOr()],
    ['claimSpill', /path/, (value) => subprocess.claimSpill(value), ['a text', 'an empty text']],
    ['waitForExit of an execution', /signal/, (value) => execution.waitForExit(value), nothingOr()],
    ['waitForExit of a handle', /signal/, (value) => raw.waitForExit(value), nothingOr()],
    ['readFrom', /offset/, (value) => execution.observed.stdout.readFrom(value), numbers],
    ['readBytesFrom', /offset/, (value) => execution.observed.stderr.readBytesFrom(value), numbers],
    ['parseExitStatus', /text/, (value) => api.parseExitStatus(value), anyText],
    ['appendExitStatus', /text/, (value) => api.appendExitStatus(value, { exitCode: 1, signal: null }), anyText],
    ['formatExitStatus', /status/, (value) => api.formatExitStatus(value), []]
  ]
}

const numbers = ['zero', 'a number', 'a fraction', 'Infinity', 'a negative number', 'a number beyond the safe ones']
const anyText = ['an empty text', 'a text', 'a text with NUL', 'a lone surrogate']
