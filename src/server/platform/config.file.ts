import { basename } from 'node:path'
import { LineCounter, type Node, type Pair, isMap, isScalar, parseDocument } from 'yaml'
import { type Settings, settings } from './config.settings.ts'
import { nearest } from './nearest.ts'
import { StartupError } from './startup-error.ts'

/** Reads config.yaml: `auth: {totp_required: true}`. Every mistake stops with `config.yaml:LINE:COL key: reason; fix`. */
export function parseConfigFile(text: string, file: string): Partial<Settings> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${basename(file)}:${line}:${col}`
  }
  const stop = (offset: number, what: string): never => {
    throw new StartupError(`${at(offset)} ${what} (in ${file})`)
  }
  const [error] = document.errors
  if (error) return stop(error.pos[0], `is not valid YAML: ${error.message}; correct it there`)
  const values: Record<string, unknown> = {}
  if (document.contents === null) return values
  if (!isMap(document.contents)) return stop(0, 'the settings: not a map; write them as `auth:` with lines below it')
  walk(document.contents, '', (path, pair) => {
    const offset = offsetOf(pair.key)
    // `pair.key` as a path is a plain text; a foreign one is simply not found.
    const setting = settings[path as keyof Settings] as (typeof settings)[keyof Settings] | undefined
    if (!setting) {
      const near = nearest(path, Object.keys(settings))
      return stop(
        offset,
        `${path}: unknown setting; ${near ? `did you mean ${near}?` : `known are ${Object.keys(settings).join(', ')}`}`,
      )
    }
    const value = pair.value as Node | null
    const outcome = setting.check(value === null ? null : value.toJS(document))
    if ('reason' in outcome) return stop(value ? offsetOf(value) : offset, `${path}: ${outcome.reason}; ${setting.fix}`)
    values[path] = outcome.value
  })
  return values
}

type Visit = (path: string, pair: Pair) => void

function walk(node: { items: Pair[] }, prefix: string, visit: Visit): void {
  for (const pair of node.items) {
    const path = `${prefix}${isScalar(pair.key) ? String(pair.key.value) : '?'}`
    const isGroup = Object.keys(settings).some((key) => key.startsWith(`${path}.`))
    if (isGroup && isMap(pair.value)) walk(pair.value, `${path}.`, visit)
    else if (!(isGroup && isEmpty(pair.value))) visit(path, pair)
  }
}

const isEmpty = (value: unknown) => value === null || (isScalar(value) && value.value === null)

function offsetOf(node: unknown): number {
  // Nodes of a parsed document have their range.
  return (node as Node | null)?.range?.[0] ?? 0
}
