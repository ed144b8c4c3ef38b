import { settingMistake } from './config.setting-kinds.ts'
import { type Message, msg } from '../../contract/messages.ts'
import { basename } from 'node:path'
import {
  type Document,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  isMap,
  isScalar,
  parseDocument,
} from 'yaml'
import { type SettingKey, type Settings, isSettingKey, settingKeys, settings } from './config.settings.ts'
import { nearest } from './nearest.ts'
import { StartupError } from './startup-error.ts'

/** What is wrong with a config.yaml, and where. */
export class ConfigFileMistake extends StartupError {
  readonly what: Message
  readonly line: number
  readonly column: number

  constructor(file: string, place: { line: number; col: number }, what: Message) {
    super(`${basename(file)}:${place.line}:${place.col} ${what.message} (in ${file})`)
    this.what = what
    this.line = place.line
    this.column = place.col
  }
}

/** Where a setting stands in the file. */
export interface SettingPlace {
  parent: YAMLMap
  pair: Pair
}

export interface ConfigFile {
  document: Document<ParsedNode>
  values: Partial<Settings>
  places: Map<SettingKey, SettingPlace>
}

/** Reads config.yaml: `auth: {totp_required: true}`. Every mistake stops with `config.yaml:LINE:COL key: reason; fix`. */
export function parseConfigFile(text: string, file: string): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const stop = (offset: number, what: Message): never => {
    throw new ConfigFileMistake(file, lines.linePos(offset), what)
  }
  const [error] = document.errors
  if (error) return stop(error.pos[0], msg('config_not_yaml', { problem: error.message }))
  const values: Record<string, unknown> = {}
  const places = new Map<SettingKey, SettingPlace>()
  const found = (): ConfigFile => ({ document, values, places })
  if (document.contents === null) return found()
  if (isEmpty(document.contents)) return found()
  if (!isMap(document.contents)) return stop(0, msg('config_not_a_map'))
  walk(document.contents, '', (path, pair, parent) => {
    const offset = offsetOf(pair.key)
    if (!isSettingKey(path)) {
      const near = nearest(path, settingKeys)
      return stop(
        offset,
        near
          ? msg('config_unknown_near', { setting: path, near })
          : msg('config_unknown', { setting: path, known: settingKeys }),
      )
    }
    const setting = settings[path]
    // What stands in a parsed document is a node.
    const node = pair.value as Node | null
    const outcome = setting.check(node === null ? null : node.toJS(document))
    if ('reason' in outcome)
      return stop(node ? offsetOf(node) : offset, settingMistake({ key: path, ...outcome, fix: setting.fix }))
    if (places.has(path)) return stop(offset, msg('config_setting_twice', { setting: path }))
    values[path] = outcome.value
    places.set(path, { parent, pair })
  })
  return found()
}

type Visit = (path: string, pair: Pair, parent: YAMLMap) => void

function walk(node: YAMLMap, prefix: string, visit: Visit): void {
  for (const pair of node.items) {
    const path = `${prefix}${isScalar(pair.key) ? String(pair.key.value) : '?'}`
    const isGroup = settingKeys.some((key) => key.startsWith(`${path}.`))
    if (isGroup && isMap(pair.value)) walk(pair.value, `${path}.`, visit)
    else if (!(isGroup && isEmpty(pair.value))) visit(path, pair, node)
  }
}

const isEmpty = (value: unknown) => value === null || (isScalar(value) && value.value === null)

function offsetOf(node: unknown): number {
  // Nodes of a parsed document have their range.
  return (node as Node | null)?.range?.[0] ?? 0
}
