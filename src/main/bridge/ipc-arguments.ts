// What pages send is checked like any input from outside, before main acts on it.
import { isAbsolute } from 'node:path'
import {
  desktopMenuNames,
  type DesktopMenuCommand,
  type DesktopMenuState,
  type DesktopNotification,
  type DesktopSettings,
  type DesktopTheme,
  type FileKind,
  type OpenFileOptions,
  type SaveFileOptions,
} from '../../contract/desktop-bridge.ts'
import { isAccelerator } from '../desktop/accelerators.ts'
import { isFeedAddress } from '../updates/update.rules.ts'

/** A wrong argument; the message is for the developer of the page. */
export class ArgumentError extends Error {}

/** What a user may type. */
export class BadFeed extends ArgumentError {}

type Fields = Record<string, unknown>

export function readOpenFileOptions(value: unknown): OpenFileOptions {
  const fields = readObject(value ?? {}, 'options')
  return {
    title: optional(fields.title, 'title', readText),
    kind: optional(fields.kind, 'kind', (kind) => readOneOf(kind, 'kind', ['file', 'folder'])),
    multiple: fields.multiple === true,
    filters: optional(fields.filters, 'filters', readFilters),
    start_path: optional(fields.start_path, 'start_path', readText),
  }
}

export function readSaveFileOptions(value: unknown): SaveFileOptions {
  const fields = readObject(value ?? {}, 'options')
  return {
    title: optional(fields.title, 'title', readText),
    filters: optional(fields.filters, 'filters', readFilters),
    start_path: optional(fields.start_path, 'start_path', readText),
  }
}

export function readNotification(value: unknown): DesktopNotification {
  const fields = readObject(value, 'notification')
  const path = optional(fields.path, 'path', readText)
  if (path !== undefined && !isAppPath(path))
    throw new ArgumentError('path must be a path of the app, such as /runs/17.')
  return { title: readText(fields.title, 'title'), body: readText(fields.body, 'body'), path }
}

export function readTheme(value: unknown): DesktopTheme {
  return readOneOf(value, 'theme', ['light', 'dark', 'system'])
}

export function readAbsolutePath(value: unknown): string {
  const path = readText(value, 'path')
  if (!isAbsolute(path)) throw new ArgumentError(`path must be absolute, not ${path}.`)
  return path
}

/** More commands than any page has; a menu beyond that could not be drawn. */
const MAX_COMMANDS = 500
const MAX_TITLE = 200

export function readMenuState(value: unknown): DesktopMenuState {
  const fields = readObject(value, 'menu')
  const language = readText(fields.language, 'language')
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(language))
    throw new ArgumentError('language must be a language tag, such as en.')
  const { commands } = fields
  if (!Array.isArray(commands) || commands.length > MAX_COMMANDS)
    throw new ArgumentError(`commands must be a list of at most ${MAX_COMMANDS}.`)
  return { language, commands: commands.map(readMenuCommand) }
}

function readMenuCommand(value: unknown): DesktopMenuCommand {
  const fields = readObject(value, 'command')
  const id = readText(fields.id, 'command.id')
  const accelerator = optional(fields.accelerator, 'command.accelerator', readText)
  return {
    id,
    title: readText(fields.title, 'command.title').slice(0, MAX_TITLE),
    menu: readOneOf(fields.menu, 'command.menu', desktopMenuNames),
    group: readText(fields.group, 'command.group'),
    // Electron would refuse the whole menu for one key that it does not know: that command is shown without.
    accelerator: accelerator !== undefined && isAccelerator(accelerator) ? accelerator : undefined,
  }
}

const SWITCHES = ['open_at_login', 'run_in_background', 'keep_awake', 'notify_failures'] as const

/** What is not named stays as it is. */
export function readSettingsChanges(value: unknown): Partial<DesktopSettings> {
  const fields = readObject(value, 'settings')
  const changes: Partial<DesktopSettings> = {}
  for (const name of Object.keys(fields)) {
    const given = fields[name]
    const known = SWITCHES.find((one) => one === name)
    if (known) changes[known] = readBoolean(given, name)
    else if (name === 'update_feed_url') changes.update_feed_url = readFeedUrl(given, name)
    else throw new ArgumentError(`${name} is not a desktop setting.`)
  }
  return changes
}

function readFeedUrl(value: unknown, name: string): string {
  const text = readText(value, name).trim()
  if (text === '') return text
  if (isFeedAddress(text)) return text
  throw new BadFeed(`${name} must be an https address without a password, or empty.`)
}

export interface FileRange {
  token: string
  start: number
  end: number
}

export const MAX_READ = 8 * 1024 * 1024

export function readFileRange(token: unknown, start: unknown, end: unknown): FileRange {
  const range = { token: readText(token, 'token'), start: readCount(start, 'start'), end: readCount(end, 'end') }
  if (range.end < range.start) throw new ArgumentError('end must not be before start.')
  if (range.end - range.start > MAX_READ) throw new ArgumentError(`At most ${MAX_READ} bytes can be read per call.`)
  return range
}

/** `//host/…` would be another origin's. */
function isAppPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\')
}

function readFilters(value: unknown, name: string): FileKind[] {
  if (!Array.isArray(value)) throw new ArgumentError(`${name} must be a list.`)
  return value.map((item) => {
    const fields = readObject(item, name)
    const extensions: unknown = fields.extensions
    if (!Array.isArray(extensions)) throw new ArgumentError(`${name}.extensions must be a list.`)
    return {
      name: readText(fields.name, `${name}.name`),
      extensions: extensions.map((extension) => readText(extension, `${name}.extensions`)),
    }
  })
}

function readObject(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null) throw new ArgumentError(`${name} must be an object.`)
  return value as Fields
}

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > 4096) throw new ArgumentError(`${name} must be a string.`)
  return value
}

function readBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new ArgumentError(`${name} must be true or false.`)
  return value
}

function readCount(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new ArgumentError(`${name} must be a whole number of at least 0.`)
  return value
}

function readOneOf<T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new ArgumentError(`${name} must be one of ${allowed.join(', ')}.`)
  return found
}

function optional<T>(value: unknown, name: string, read: (value: unknown, name: string) => T): T | undefined {
  return value === undefined ? undefined : read(value, name)
}
