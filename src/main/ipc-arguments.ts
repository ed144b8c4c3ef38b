// What pages send is checked like any input from outside, before main acts on it.
import { isAbsolute } from 'node:path'
import type {
  DesktopNotification,
  DesktopTheme,
  FileKind,
  OpenFileOptions,
  SaveFileOptions,
} from '../contract/desktop-bridge.ts'

/** A wrong argument; the message is for the developer of the page. */
export class ArgumentError extends Error {}

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
  if (typeof value !== 'string' || value.length > 4096) throw new ArgumentError(`${name} must be a text.`)
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
