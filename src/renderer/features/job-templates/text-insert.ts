/** Adding to the text of a template without touching what somebody wrote: every change is one insertion. */
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type YamlEntry, type YamlMap, entryOf } from '../../../language/yaml/yaml-tree.ts'

const reserved = /^(?:y|n|yes|no|on|off|true|false|null|~)$/i

/** A text as YAML: plain where it is read back as the same text. */
export const plainOrQuoted = (text: string) =>
  /^[A-Za-z_][\w./-]*$/.test(text) && !reserved.test(text) ? text : JSON.stringify(text)

const rootOf = (text: string): YamlMap | null => {
  const { root } = readYaml(text, () => {})
  return root?.kind === 'map' ? root : null
}

const columnOf = (text: string, offset: number) => offset - (text.lastIndexOf('\n', offset - 1) + 1)
const endOfLine = (text: string, offset: number) => {
  const found = text.indexOf('\n', offset)
  return found < 0 ? text.length : found
}
const insert = (text: string, at: number, what: string) => text.slice(0, at) + what + text.slice(at)

/** Where the last thing that an entry says ends; blank lines and comments below it are not its own. */
const endOf = (text: string, entry: YamlEntry) => {
  const end = Math.max(entry.value.end, entry.keySpan.end)
  return entry.keySpan.start + text.slice(entry.keySpan.start, end).trimEnd().length
}

/** What is added: on one line for a map in braces, on lines of its own (indented from 0) else. */
export interface Addition {
  key: string
  flow: string
  block: readonly string[]
}

const indented = (lines: readonly string[], by: number) =>
  lines.map((line) => (line === '' ? line : ' '.repeat(by) + line)).join('\n')

function newSection(text: string, section: string, addition: Addition, before: string | null): string {
  const lines = `${section}:\n${indented(addition.block, 2)}\n`
  const follower = before === null ? undefined : rootOf(text)?.entries.find((entry) => entry.key === before)
  if (follower) return insert(text, follower.keySpan.start - columnOf(text, follower.keySpan.start), lines)
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}${lines}`
}

/** Adds an entry at the end of a top-level map; the map is made where there is none, before the section `before` if that is there. */
export function addEntry(text: string, section: string, addition: Addition, before: string | null = null): string {
  const root = rootOf(text)
  const entry = root ? entryOf(root, section) : undefined
  if (!entry) return newSection(text, section, addition, before)
  const { value } = entry
  if (value.kind === 'map' && text[value.start] === '{') {
    const last = value.entries.at(-1)
    if (!last) {
      const lines = `\n${indented(addition.block, 2)}`
      return text.slice(0, value.start).trimEnd() + lines + text.slice(value.end)
    }
    return insert(text, endOf(text, last), `, ${addition.flow}`)
  }
  if (value.kind === 'map' && value.entries.length > 0) {
    const [first] = value.entries
    const last = value.entries.at(-1)
    if (!first || !last) return text
    const lines = indented(addition.block, columnOf(text, first.keySpan.start))
    return insert(text, endOfLine(text, endOf(text, last)), `\n${lines}`)
  }
  // Nothing stands there yet.
  return insert(text, endOfLine(text, entry.keySpan.end), `\n${indented(addition.block, 2)}`)
}

/** The 1-based line of a key inside a top-level map. */
export function lineOfKey(text: string, section: string, key: string): number | null {
  const root = rootOf(text)
  const value = root ? entryOf(root, section)?.value : undefined
  const entry = value?.kind === 'map' ? entryOf(value, key) : undefined
  return entry ? text.slice(0, entry.keySpan.start).split('\n').length : null
}

/** Names in a top-level map whose own map has a key. */
export function namesWith(text: string, section: string, key: string): Set<string> {
  const root = rootOf(text)
  const value = root ? entryOf(root, section)?.value : undefined
  const entries = value?.kind === 'map' ? value.entries : []
  return new Set(entries.filter((one) => one.value.kind === 'map' && entryOf(one.value, key)).map((one) => one.key))
}
