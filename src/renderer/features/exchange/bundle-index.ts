/**
 * Where each record of a bundle stands in its file, found in one pass over the bytes. Only the head of a line is read, so that a
 * bundle of a hundred thousand lines costs little; a record is read whole when it is looked at.
 */

export interface BundleRecord {
  kind: string
  name: string
  /** From 1. */
  line: number
  /** A record that is too long for a line goes on in the lines that follow. */
  lastLine: number
}

export interface BundleIndex {
  /** First byte of each line, and one past the last line. */
  starts: readonly number[]
  records: readonly BundleRecord[]
  byName: ReadonlyMap<string, BundleRecord>
}

/** Enough for kind and name, however long the rest is. */
const headBytes = 2048
const lineFeed = 10

const keyOf = (kind: string, name: string) => `${kind} ${name}`

interface Head {
  kind: string
  name: string
  continues: boolean
}

const headForm =
  /^\uFEFF?\s*\{\s*"kind"\s*:\s*"(\w+)"\s*,\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*(,\s*"continues"\s*:\s*true)?/

/** Kind and name of a line; undefined for one that holds no record, or whose head says it another way. */
export function headOf(text: string): Head | undefined {
  const [, kind, quoted, continues] = headForm.exec(text) ?? []
  if (kind === undefined || quoted === undefined) return undefined
  try {
    return { kind, name: String(JSON.parse(quoted)), continues: continues !== undefined }
  } catch {
    return undefined
  }
}

/** The other way: fields in another order. */
function wholeOf(text: string): Head | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || !('kind' in value) || !('name' in value)) return undefined
    const continues = 'continues' in value && value.continues === true
    return { kind: String(value.kind), name: String(value.name), continues }
  } catch {
    return undefined
  }
}

/** What `normalize_names` makes of a name, so that the record of a result is found by it. */
export const normalized = (name: string) =>
  name
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')

class Indexer {
  readonly starts: number[] = [0]
  readonly records: BundleRecord[] = []
  readonly byName = new Map<string, BundleRecord>()
  private offset = 0

  /** Whole lines: `bytes` ends where one does. */
  add(bytes: Uint8Array): void {
    const decoder = new TextDecoder()
    let from = 0
    while (from < bytes.length) {
      const end = bytes.indexOf(lineFeed, from)
      const to = end < 0 ? bytes.length : end
      this.line(bytes.subarray(from, to), decoder)
      from = to + 1
      this.starts.push(this.offset + Math.min(from, bytes.length))
    }
    this.offset += bytes.length
  }

  private line(bytes: Uint8Array, decoder: TextDecoder): void {
    const found = headOf(decoder.decode(bytes.subarray(0, headBytes))) ?? wholeOf(decoder.decode(bytes))
    if (!found || found.kind === 'bundle') return
    const line = this.starts.length
    const key = keyOf(found.kind, found.name)
    const last = this.records.at(-1)
    if (found.continues && last && keyOf(last.kind, last.name) === key) {
      last.lastLine = line
      return
    }
    const record = { kind: found.kind, name: found.name, line, lastLine: line }
    this.records.push(record)
    if (!this.byName.has(key)) this.byName.set(key, record)
    const plain = keyOf(found.kind, normalized(found.name))
    if (!this.byName.has(plain)) this.byName.set(plain, record)
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export async function indexBundle(file: Blob): Promise<BundleIndex> {
  const indexer = new Indexer()
  const reader = file.stream().getReader()
  let rest: Uint8Array[] = []
  for (;;) {
    // One piece after the other is the point of it: memory stays flat.
    const { done, value } = await reader.read()
    if (done) break
    const end = value.lastIndexOf(lineFeed)
    if (end < 0) {
      rest.push(value)
      continue
    }
    indexer.add(joined([...rest, value.subarray(0, end + 1)]))
    rest = [value.slice(end + 1)]
  }
  const last = joined(rest)
  if (last.length > 0) indexer.add(last)
  return { starts: indexer.starts, records: indexer.records, byName: indexer.byName }
}

/** The record that a result is about. */
export const recordOf = (index: BundleIndex, { kind, name }: Pick<BundleRecord, 'kind' | 'name'>) =>
  index.byName.get(keyOf(kind, name))

/** The text of a line, from 1. */
export async function lineOf(file: Blob, index: BundleIndex, line: number): Promise<string | undefined> {
  const start = index.starts[line - 1]
  const end = index.starts[line]
  if (start === undefined || end === undefined) return undefined
  const text = await file.slice(start, end).text()
  return text.replace(/\r?\n$/, '')
}

interface VersionLike {
  version?: unknown
  yaml_content?: unknown
}

function parsed(line: string): { current?: unknown; versions: readonly (VersionLike | null)[] } {
  try {
    const record = JSON.parse(line.replace(/^\uFEFF/, '')) as { current_version?: unknown; versions?: unknown } | null
    // Whatever the elements are: their fields are looked at before they are used.
    const versions = Array.isArray(record?.versions) ? (record.versions as (VersionLike | null)[]) : []
    return { current: record?.current_version, versions }
  } catch {
    return { versions: [] }
  }
}

/** The text that a record has in its current version; the pieces of one that is longer than a line are put together. */
export function currentText(lines: readonly string[]): string | undefined {
  const parts = lines.map(parsed)
  const texts = new Map<unknown, string>()
  for (const version of parts.flatMap(({ versions }) => versions)) {
    if (typeof version?.yaml_content !== 'string') continue
    texts.set(version.version, (texts.get(version.version) ?? '') + version.yaml_content)
  }
  return texts.get(parts[0]?.current) ?? [...texts.values()].at(-1)
}

/** The text of a record in the file that it came with. */
export async function textOf(file: Blob, index: BundleIndex, record: BundleRecord): Promise<string | undefined> {
  const numbers = Array.from({ length: record.lastLine - record.line + 1 }, (_, at) => record.line + at)
  const lines = await Promise.all(numbers.map((line) => lineOf(file, index, line)))
  return currentText(lines.filter((line) => line !== undefined))
}
