import { type SettingKey, type Settings, settingKeys, settings } from './config.settings.ts'
import { StartupError } from './startup-error.ts'

export interface Arguments {
  dataDir?: string
  desktop: boolean
  /** Name of the backup, or `newest`, that a damaged store is to be replaced by. */
  restore?: string
  /** The loss of changes that is accepted, by the number of the last change that is left. */
  acceptLoss?: number
  settings: Partial<Settings>
}

export function readArguments(argv: readonly string[]): Arguments {
  const read: Arguments = { desktop: false, settings: {} }
  const rest = argv.flatMap((arg) => (/^--[\w-]+=/.test(arg) ? splitOnce(arg) : [arg]))
  while (rest.length > 0) {
    const name = rest.shift()!
    if (name === '--desktop') read.desktop = true
    else if (name === '--no-executor') read.settings['executors.local'] = false
    else if (name === '--data-dir') read.dataDir = argumentValue(name, rest)
    else if (name === '--restore') read.restore = argumentValue(name, rest)
    else if (name === '--accept-loss') read.acceptLoss = lossNumber(argumentValue(name, rest))
    else if (name === '--port' || name === '--host') {
      const key = name === '--port' ? 'server.port' : 'server.host'
      Object.assign(read.settings, { [key]: fromText(key, argumentValue(name, rest), name) })
    } else {
      throw new StartupError(
        `${name}: unknown argument; known are --data-dir DIR, --port N, --host ADDRESS, --restore BACKUP, --accept-loss N, --no-executor and --desktop`,
      )
    }
  }
  return read
}

function splitOnce(arg: string): string[] {
  const at = arg.indexOf('=')
  return [arg.slice(0, at), arg.slice(at + 1)]
}

function argumentValue(name: string, rest: string[]): string {
  const value = rest.shift()
  if (value === undefined || value === '') throw new StartupError(`${name}: its value is missing`)
  return value
}

function lossNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StartupError(
    `--accept-loss: ${text} is not a number. Use the number from the message about the lost changes.`,
  )
}

export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Partial<Settings> {
  const values: Record<string, unknown> = {}
  for (const key of settingKeys) {
    const text = env[settings[key].env]
    if (text !== undefined && text !== '') values[key] = fromText(key, text, settings[key].env)
  }
  return values
}

function fromText(key: SettingKey, text: string, where: string): unknown {
  const setting = settings[key]
  const outcome = setting.check(setting.parse(text))
  if ('reason' in outcome) throw new StartupError(`${where}: ${outcome.reason.message}; ${setting.fix.message}`)
  return outcome.value
}
