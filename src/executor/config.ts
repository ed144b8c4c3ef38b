import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataDir } from '../process/data-dir.ts'
import { commandUsage, commandVariable, readCommandPolicy, type CommandPolicy } from './kinds/command-policy.ts'

/** Something on the command line or in the environment is missing or wrong; the message says what to do. */
export class ConfigError extends Error {}

export interface ExecutorConfig {
  /** Asked before each request: with a data folder the control plane may come back at another address. */
  url: () => URL
  key: string
  name: string
  slots: number
  labels: Record<string, string>
  graceMs: number
  /** Which programs tasks may start. Workers read it for themselves, from the environment that they inherit. */
  commands: CommandPolicy
}

export interface Surroundings {
  args: string[]
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
  hostname: string
  cores: number
}

export const usage = `npm run executor -- [--url URL | --data-dir DIR] [--name NAME] [--slots N] [--labels KEY=VALUE]… [--grace SECONDS]
  --url       address of the control plane; without it, the one in endpoint.json of the data folder
  --data-dir  data folder of a control plane on this machine
  --name      how this executor is listed; default: the name of this machine
  --slots     runs at a time; default: one a core, at least 2
  --labels    shown with the executor; may be given more than once
  --grace     how long runs may take to finish when the executor is told to end; default 3
The key of the control plane is taken from the environment: SVC_EXECUTOR_KEY.
Tasks start programs of this machine only where the environment allows it: ${commandUsage}.
`

export function readConfig(surroundings: Surroundings): ExecutorConfig {
  const { env, hostname, cores } = surroundings
  const values = readArgs(surroundings.args)
  const key = env.SVC_EXECUTOR_KEY
  if (!key) throw new ConfigError('SVC_EXECUTOR_KEY is not set: give the executor the same key as the control plane.')
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError('SVC_EXECUTOR_KEY holds characters that cannot be sent: use printable ASCII without blanks.')
  }
  return {
    url: values.url === undefined ? urlOfDataDir(dataDirOf(values['data-dir'], surroundings)) : fixedUrl(values.url),
    key,
    name: readName(values.name ?? nameFrom(hostname)),
    slots: readNumber('--slots', values.slots, Math.max(2, cores), 1, 1_000),
    labels: readLabels(values.labels ?? []),
    graceMs: readNumber('--grace', values.grace, 3, 0, 86_400) * 1_000,
    commands: readCommands(env),
  }
}

function readArgs(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        url: text,
        'data-dir': text,
        name: text,
        slots: text,
        grace: text,
        labels: { type: 'string', multiple: true },
      },
    }).values
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('. ')[0]}. Try --help.`)
  }
}

function fixedUrl(text: string): () => URL {
  const url = readUrl(text, '--url')
  return () => url
}

function readUrl(text: string, where: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new ConfigError(`${where} is "${text}", which is no address: write it like http://127.0.0.1:4717.`)
}

function dataDirOf(named: string | undefined, { env, platform, home }: Surroundings): string {
  return resolve(named ?? (env.SVC_DATA_DIR || defaultDataDir(env, platform, home)))
}

/** How often the file is looked at again. */
const REREAD_MS = 500

function urlOfDataDir(dataDir: string): () => URL {
  const path = join(dataDir, 'endpoint.json')
  let url = readEndpoint(path)
  let readAt = performance.now()
  return () => {
    if (performance.now() - readAt > REREAD_MS) {
      readAt = performance.now()
      try {
        url = readEndpoint(path)
      } catch (error) {
        // It is gone while the control plane restarts: the last address stands until there is another one.
        if (!(error instanceof ConfigError)) throw error
      }
    }
    return url
  }
}

function readEndpoint(path: string): URL {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = missing
      ? 'is not there: no Headgate is running on this data folder'
      : `cannot be read (${String(error)})`
    throw new ConfigError(`${path} ${why}. Start it, or give its address with --url.`)
  }
  return readUrl(urlField(text), path)
}

function urlField(text: string): string {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content === 'object' && content !== null && 'url' in content) return String(content.url)
  } catch {
    // Said by the caller, with the file's name.
  }
  return ''
}

function readCommands(env: Surroundings['env']): CommandPolicy {
  const policy = readCommandPolicy(env)
  if (policy) return policy
  throw new ConfigError(`${commandVariable} is "${env[commandVariable] ?? ''}": ${commandUsage}.`)
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

function readName(name: string): string {
  if (NAME.test(name)) return name
  throw new ConfigError(
    `--name is "${name}": use up to 100 letters, digits, ".", "_" and "-", beginning with a letter or digit.`,
  )
}

function nameFrom(hostname: string): string {
  const name = hostname
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100)
  return name || 'executor'
}

function readNumber(option: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${option} is "${text}": give a whole number from ${min} to ${max}.`)
}

function readLabels(texts: string[]): Record<string, string> {
  const pairs = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new ConfigError(`--labels holds "${pair}": write labels as key=value.`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}
