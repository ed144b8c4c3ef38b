import { type Message, msg } from '../../../contract/messages.ts'
import { BUNDLE_FORMAT } from '../../../contract/exchange.ts'
import { findJsonMistake } from '../../platform/http-json.ts'
import { columnOfKey } from './json-column.rules.ts'

/** What one line of a bundle says: docs/exchange.md. Pure, and nothing of the store. */

export const bundleKinds = ['task', 'job_template', 'dashboard_template', 'ai_reference', 'explorer_preset'] as const
/** What people call them. */
export const bundleNouns = {
  task: 'task',
  job_template: 'job template',
  dashboard_template: 'dashboard template',
  ai_reference: 'reference',
  explorer_preset: 'preset',
} as const
export type BundleKind = (typeof bundleKinds)[number]

export interface BundleVersion {
  version: number
  yaml_content: string
  change_summary: string | null
  /** null: the time of the import. */
  created_at: string | null
}

/** A record as far as one line holds it. Further lines carry on with the versions of one that is too long for a line. */
export interface BundlePart {
  kind: BundleKind
  name: string
  continues: boolean
  /** Another line carries on with the record: without it, the bundle was cut off. */
  more: boolean
  /** null: not said. */
  tags: string[] | null
  archived: boolean
  /** null: the greatest number. */
  current_version: number | null
  versions: BundleVersion[]
}

export interface LineMistake extends Message {
  path: string
  column: number
}
/** How many records of each kind the first line announces; a kind that is absent may have any number. */
export type AnnouncedRecords = Partial<Record<BundleKind, number>>
export type BundleLine =
  | { kind: 'bundle'; records: AnnouncedRecords }
  | { kind: 'part'; part: BundlePart }
  | { kind: 'mistakes'; mistakes: LineMistake[] }

/** That are told of one line, and of a bundle. */
export const MAX_MISTAKES = 20

type Fields = Record<string, unknown>
/** Notes what is wrong at a path; the column is that of its outermost key. */
type Complain = (path: string, reason: Message) => void

/** Whatever the text: never throws. */
export function readBundleLine(text: string): BundleLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line: _, ...mistake } = findJsonMistake(text)
    return { kind: 'mistakes', mistakes: [{ path: 'body', ...mistake }] }
  }
  const mistakes: LineMistake[] = []
  const columns = new Map<string, number>()
  // Looking for a key takes time in a line of 1 MiB.
  const columnOf = (key: string) => {
    const column = columns.get(key) ?? columnOfKey(text, key)
    columns.set(key, column)
    return column
  }
  const complain: Complain = (path, reason) => {
    if (mistakes.length >= MAX_MISTAKES) return
    mistakes.push({ path: `body.${path}`, ...reason, column: columnOf(/^\w+/.exec(path)?.[0] ?? '') })
  }
  if (!isObject(value)) {
    return { kind: 'mistakes', mistakes: [{ path: 'body', ...msg('not_an_object'), column: 1 }] }
  }
  const line = readFields(value, complain)
  return mistakes.length > 0 || !line ? { kind: 'mistakes', mistakes } : line
}

/** A line that can't say whether others follow would be taken for a whole record. */
function readFlag(fields: Fields, name: 'continues' | 'more', complain: Complain): boolean {
  const value = fields[name]
  if (value !== undefined && typeof value !== 'boolean') complain(name, msg('not_a_flag'))
  return value === true
}

function readFields(fields: Fields, complain: Complain): BundleLine | undefined {
  const { kind } = fields
  if (kind === 'bundle') return readHeader(fields, complain)
  if (!isKind(kind)) {
    const known = ['bundle', ...bundleKinds].map((one) => `"${one}"`)
    complain('kind', kind === undefined ? msg('kind_missing', { known }) : msg('kind_unknown', { known }))
    return undefined
  }
  const continues = readFlag(fields, 'continues', complain)
  const part: BundlePart = {
    kind,
    name: readName(fields['name'], complain),
    continues,
    more: readFlag(fields, 'more', complain),
    tags: continues ? null : readTags(fields['tags'], complain),
    archived: fields['archived'] === true || fields['archived'] === 1,
    current_version: continues ? null : readNumber(fields['current_version'], 'current_version', complain),
    versions: readVersions(fields['versions'], complain),
  }
  if (![undefined, true, false, 0, 1].some((allowed) => fields['archived'] === allowed)) {
    complain('archived', msg('not_a_flag'))
  }
  return { kind: 'part', part }
}

function readHeader({ format, records }: Fields, complain: Complain): BundleLine {
  if (typeof format === 'number' && Number.isInteger(format) && format > BUNDLE_FORMAT) {
    complain('format', msg('format_newer', { given: format, format: BUNDLE_FORMAT }))
  } else if (format !== BUNDLE_FORMAT) complain('format', msg('format_wrong', { format: BUNDLE_FORMAT }))
  return { kind: 'bundle', records: readAnnounced(records, complain) }
}

function readAnnounced(records: unknown, complain: Complain): AnnouncedRecords {
  if (records === undefined) return {}
  const given: Fields = isObject(records) ? records : {}
  const sound = Object.values(given).every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  if (!isObject(records) || !sound) complain('records', msg('records_invalid'))
  return Object.fromEntries(bundleKinds.flatMap((kind) => (kind in given ? [[kind, Number(given[kind])]] : [])))
}

function readName(name: unknown, complain: Complain): string {
  if (typeof name === 'string' && name.trim() !== '' && sound(name, 'name', complain)) return name
  if (typeof name !== 'string' || name.trim() === '') complain('name', msg('text_empty'))
  return ''
}

function readTags(tags: unknown, complain: Complain): string[] | null {
  if (tags === undefined || tags === null) return null
  if (!Array.isArray(tags) || tags.length > 50) {
    complain('tags', msg('tags_invalid'))
    return null
  }
  const read: string[] = []
  for (const [index, tag] of tags.entries()) {
    const path = `tags[${index}]`
    if (typeof tag !== 'string' || tag === '' || [...tag].length > 60) complain(path, msg('tag_length'))
    else if (read.includes(tag)) complain(path, msg('is_twice'))
    else if (sound(tag, path, complain)) read.push(tag)
  }
  return read
}

function readNumber(value: unknown, path: string, complain: Complain): number | null {
  if (value === undefined) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 2_147_483_647) return value
  complain(path, msg('not_a_number'))
  return null
}

function readVersions(versions: unknown, complain: Complain): BundleVersion[] {
  if (!Array.isArray(versions) || versions.length === 0) {
    complain('versions', versions === undefined ? msg('field_missing') : msg('versions_invalid'))
    return []
  }
  // A line may have room for half a million versions that are none.
  let told = 0
  const counted: Complain = (path, reason) => {
    told += 1
    complain(path, reason)
  }
  const read: BundleVersion[] = []
  for (const [index, given] of versions.entries()) {
    if (told >= MAX_MISTAKES) break
    read.push(readVersion(given, `versions[${index}]`, counted))
  }
  return read
}

function readVersion(given: unknown, path: string, complain: Complain): BundleVersion {
  const fields: Fields = isObject(given) ? given : {}
  if (!isObject(given)) complain(path, msg('not_an_object'))
  const { version, yaml_content, change_summary, created_at } = fields
  if (version === undefined) complain(`${path}.version`, msg('field_missing'))
  if (typeof yaml_content !== 'string' || yaml_content === '') {
    complain(`${path}.yaml_content`, msg('text_empty'))
  } else sound(yaml_content, `${path}.yaml_content`, complain)
  return {
    version: readNumber(version, `${path}.version`, complain) ?? 0,
    yaml_content: typeof yaml_content === 'string' ? yaml_content : '',
    change_summary: readSummary(change_summary, `${path}.change_summary`, complain),
    created_at: readTime(created_at, `${path}.created_at`, complain),
  }
}

function readSummary(value: unknown, path: string, complain: Complain): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && [...value].length <= 500) return sound(value, path, complain) ? value : null
  complain(path, msg('summary_long'))
  return null
}

function readTime(value: unknown, path: string, complain: Complain): string | null {
  if (value === undefined || value === null) return null
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  complain(path, msg('time_invalid'))
  return null
}

/** JSON escapes can make halves of characters, which no file and no database takes. */
function sound(text: string, path: string, complain: Complain): boolean {
  if (text.isWellFormed()) return true
  complain(path, msg('holds_half_character'))
  return false
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isKind = (value: unknown): value is BundleKind => bundleKinds.some((kind) => kind === value)
