/** Changes config.yaml as its owner would: comments, order and everything else in it stay. */
import { type Document, Pair, Scalar, YAMLMap, isMap, isNode, isScalar } from 'yaml'
import { type ConfigFile, parseConfigFile } from './config.file.ts'
import type { SettingKey, Settings } from './config.settings.ts'

/** null takes the setting out. */
export type ConfigChanges = Partial<{ [K in SettingKey]: Settings[K] | null }>

/**
 * The new text; undefined where the file is written in a way that a change of one setting would change others as well
 * (anchors), or not come out as it was meant.
 */
export function editConfig(text: string, file: string, changes: ConfigChanges): string | undefined {
  const parsed = parseConfigFile(text, file)
  const wanted: Record<string, unknown> = { ...parsed.values }
  // Each entry was put there under its own key.
  for (const [key, value] of Object.entries(changes) as [SettingKey, unknown][]) {
    if (value === null) {
      remove(parsed, key)
      delete wanted[key]
    } else {
      set(parsed, key, value)
      wanted[key] = value
    }
  }
  const edited = asText(parsed.document, text)
  if (edited === undefined) return undefined
  return same(parseConfigFile(edited, file).values, wanted) ? edited : undefined
}

function set({ document, places }: ConfigFile, key: SettingKey, value: unknown): void {
  const node = document.createNode(value)
  const place = places.get(key)
  if (place) {
    const old = place.pair.value
    if (isNode(old)) {
      node.comment = old.comment
      node.commentBefore = old.commentBefore
      node.spaceBefore = old.spaceBefore
    }
    place.pair.value = node
    return
  }
  const [group = '', name = ''] = key.split('.')
  groupOf(document, group).items.push(new Pair(new Scalar(name), node))
}

/** The map of a group; made, or made a map where the file has no more than its name. */
function groupOf(document: Document, name: string): YAMLMap {
  if (!isMap(document.contents)) {
    const root = new YAMLMap(document.schema)
    // A file of comments alone: they stand before what comes now.
    root.commentBefore = document.contents?.commentBefore ?? null
    document.contents = root
  }
  // A map in a document of ours is one of pairs; the library's type leaves that open.
  const root = document.contents as YAMLMap
  const known = root.items.find((pair) => isScalar(pair.key) && pair.key.value === name)
  if (known && isMap(known.value)) return known.value
  const map = new YAMLMap(document.schema)
  if (!known) {
    root.items.push(new Pair(new Scalar(name), map))
    return map
  }
  if (isNode(known.value)) {
    map.comment = known.value.comment
    map.commentBefore = known.value.commentBefore
  }
  known.value = map
  return map
}

function remove({ places }: ConfigFile, key: SettingKey): void {
  const place = places.get(key)
  if (!place) return
  const { parent, pair } = place
  const at = parent.items.indexOf(pair)
  const above = isNode(pair.key) ? pair.key.commentBefore : null
  parent.items.splice(at, 1)
  if (!above) return
  // Comments are the owner's: those above it stay where they stood.
  const next = parent.items[at]?.key
  if (isNode(next)) next.commentBefore = joined(above, next.commentBefore)
  else parent.comment = joined(parent.comment, above)
}

const joined = (first: string | null | undefined, second: string | null | undefined) =>
  [first, second].filter((text) => text !== null && text !== undefined).join('\n')

function asText(document: Document, before: string): string | undefined {
  let text: string
  try {
    text = document.toString({ lineWidth: 0, flowCollectionPadding: !/\{\S/.test(before) })
  } catch {
    // An alias whose anchor has gone: the library says so by throwing.
    return undefined
  }
  return before.includes('\r\n') ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text
}

function same(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const sorted = (values: Record<string, unknown>) =>
    JSON.stringify(Object.entries(values).toSorted(([x], [y]) => (x < y ? -1 : 1)))
  return sorted(a) === sorted(b)
}
