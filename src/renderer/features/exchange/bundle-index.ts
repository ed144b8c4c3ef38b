/**
 * Where each record of a bundle stands in its file, found in one pass over the bytes. Only the head of a line is read, so that a
 * bundle of a hundred thousand lines costs little; a record is read whole when it is looked at.
 */

export interface BundleRecord {
  kind: string
  name: string
  /** From 1. */
  line: number
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

export const keyOf = (kind: string, name: string) => `${kind} ${name}`

const headForm = /^\uFEFF?\s*\{\s*"kind"\s*:\s*"(\w+)"\s*,\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")/

/** Kind and name of a line; undefined for one that holds no record, or whose head says it another way. */
export function headOf(text: string): { kind: string; name: string } | undefined {
  const head = headForm.exec(text)
  const [, kind, quoted] = head ?? []
  if (kind === undefined || quoted === undefined) return undefined
  try {
    return { kind, name: String(JSON.parse(quoted)) }
  } catch {
    return undefined
  }
}

/** The other way: fields in another order. */
function wholeOf(text: string): { kind: string; name: string } | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || !('kind' in value) || !('name' in value)) return undefined
    return { kind: String(value.kind), name: String(value.name) }
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
    const record = { ...found, line: this.starts.length }
    this.records.push(record)
    const key = keyOf(found.kind, found.name)
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
    // oxlint-disable-next-line no-await-in-loop
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

/** The text that a record of a bundle has in its current version. */
export function currentText(line: string): string | undefined {
  try {
    const record = JSON.parse(line.replace(/^\uFEFF/, '')) as { current_version?: unknown; versions?: unknown }
    if (!Array.isArray(record.versions)) return undefined
    // Whatever the elements are: their fields are looked at before they are used.
    const versions = record.versions as (VersionLike | null)[]
    const current = versions.find((one) => one?.version === record.current_version) ?? versions.at(-1)
    return typeof current?.yaml_content === 'string' ? current.yaml_content : undefined
  } catch {
    return undefined
  }
}
