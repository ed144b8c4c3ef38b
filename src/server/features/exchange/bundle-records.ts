import { type Message, msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import {
  type AnnouncedRecords,
  type BundleKind,
  type BundlePart,
  type BundleVersion,
  MAX_MISTAKES,
  bundleKinds,
  readBundleLine,
} from './bundle-format.rules.ts'

/** Places of records, and numbers of versions of one record, are held in memory. */
const LIMITS = { records: 500_000, versions: 100_000 } as const
/** UTF-8 bytes of the text of one version: whatever the interface takes is shorter. Longer ones would fill memory wherever they are read. */
const MAX_VERSION_BYTES = 4 * 1_048_576

/** Where a record's lines stand in a file. */
export interface RecordPlace {
  kind: BundleKind
  name: string
  /** Of its first line, from 1. */
  line: number
  parts: { offset: number; length: number }[]
}

const cut = (name: string) => name.slice(0, 200)

/** A record with all its lines put together. */
export interface BundleRecord {
  kind: BundleKind
  name: string
  tags: string[] | null
  archived: boolean
  current_version: number
  /** By number. */
  versions: BundleVersion[]
}

/** What is being read: a record may go on in the next line. */
interface Open {
  place: RecordPlace
  current: number | null
  column: number
  numbers: Set<number>
  last: number
  /** Of the text of the last version so far. */
  bytes: number
  /** Its last line so far said that another one carries on. */
  more: boolean
}

/** Takes a bundle line by line, in order, and gives the places of its records, or what is wrong with it. */
export function createBundleReader(limits: { records: number; versions: number } = LIMITS) {
  const records: RecordPlace[] = []
  const names = new Map<string, number>()
  const mistakes: ErrorDetail[] = []
  let open: Open | undefined
  let linesRead = 0
  let announced: AnnouncedRecords = {}
  let lastLine = 0

  const complain = (line: number, column: number, path: string, reason: Message) => {
    if (mistakes.length < MAX_MISTAKES) mistakes.push({ path, ...reason, line, column })
  }

  /** `next`: the line that could carry on with the record, and does not. */
  function finish(next: number): void {
    if (!open) return
    const { place, current, numbers, more } = open
    // A continuation that could not be read has been told already.
    if (more && mistakes.length === 0) {
      complain(next, 1, 'body', msg('record_cut_off', { name: cut(place.name) }))
    }
    if (current !== null && !numbers.has(current)) {
      complain(place.line, 1, 'body.current_version', msg('not_among_versions', { version: current }))
    }
    open = undefined
  }

  function begin(part: BundlePart, line: number): Open {
    finish(line)
    const key = `${part.kind} ${part.name}`
    const before = names.get(key)
    if (before !== undefined) {
      complain(line, 1, 'body.name', msg('record_twice', { name: cut(part.name), line: before }))
    }
    names.set(key, before ?? line)
    if (records.length === limits.records) complain(line, 1, 'body', msg('records_too_many', { most: limits.records }))
    const place: RecordPlace = { kind: part.kind, name: part.name, line, parts: [] }
    records.push(place)
    return { place, current: part.current_version, column: 1, numbers: new Set(), last: 0, bytes: 0, more: false }
  }

  function take(part: BundlePart, line: number, offset: number, length: number): void {
    if (!part.continues) open = begin(part, line)
    else if (!open || open.place.kind !== part.kind || open.place.name !== part.name) {
      return complain(line, 1, 'body.continues', msg('continues_other'))
    }
    open.place.parts.push({ offset, length })
    open.more = part.more
    for (const [index, { version, yaml_content }] of part.versions.entries()) {
      const piece = part.continues && index === 0 && version === open.last
      const path = `body.versions[${index}].version`
      if (open.numbers.has(version) && !piece) complain(line, 1, path, msg('version_twice', { version }))
      open.numbers.add(version)
      if (open.numbers.size === limits.versions + 1)
        complain(line, 1, path, msg('versions_too_many', { most: limits.versions }))
      open.last = version
      open.bytes = (piece ? open.bytes : 0) + Buffer.byteLength(yaml_content)
      if (open.bytes > MAX_VERSION_BYTES)
        complain(line, 1, `body.versions[${index}].yaml_content`, msg('version_too_long', { version }))
    }
  }

  /** A bundle that ends between two lines looks like a shorter one: what its first line announces tells them apart. */
  function checkCounts(): void {
    for (const kind of bundleKinds) {
      const wanted = announced[kind]
      const found = records.filter((place) => place.kind === kind).length
      if (wanted === undefined || wanted === found) continue
      if (found < wanted)
        return complain(lastLine + 1, 1, 'body', msg('records_cut_off', { wanted, type: kind, found }))
      complain(1, 1, 'body.records', msg('records_wrong', { wanted, type: kind, found }))
    }
  }

  return {
    /** `length` bytes at `offset` of the file. */
    line(text: string, number: number, offset: number, length: number): void {
      // Nothing of it will be imported, and no more will be told.
      if (mistakes.length >= MAX_MISTAKES || text.trim() === '') return
      linesRead += 1
      lastLine = number
      const read = readBundleLine(text)
      if (read.kind === 'mistakes') {
        for (const { path, column, ...reason } of read.mistakes) complain(number, column, path, reason)
      } else if (read.kind === 'bundle') {
        if (linesRead > 1) complain(number, 1, 'body.kind', msg('bundle_first_line'))
        announced = read.records
      } else take(read.part, number, offset, length)
    },
    complain,
    end(): { records: RecordPlace[]; mistakes: ErrorDetail[] } {
      finish(lastLine + 1)
      // Lines that could not be read are records that are not counted, and have been told already.
      if (mistakes.length === 0) checkCounts()
      if (linesRead === 0 && mistakes.length === 0) complain(1, 1, 'body', msg('bundle_empty'))
      return { records, mistakes }
    },
  }
}
export type BundleReader = ReturnType<typeof createBundleReader>

/** The lines of one record, which have been checked, as the record. */
export function joinParts(lines: readonly string[]): BundleRecord {
  const parts = lines.map((text) => {
    const read = readBundleLine(text)
    if (read.kind !== 'part') throw new Error('A line of a bundle is not what it was when it was checked')
    return read.part
  })
  const [first] = parts
  if (!first) throw new Error('A record has no line')
  const versions: BundleVersion[] = []
  for (const version of parts.flatMap((part) => part.versions)) {
    const last = versions.at(-1)
    if (last?.version === version.version) last.yaml_content += version.yaml_content
    else versions.push(version)
  }
  versions.sort((a, b) => a.version - b.version)
  const current_version = first.current_version ?? versions.at(-1)?.version ?? 0
  const { kind, name, tags, archived } = first
  return { kind, name, tags, archived, current_version, versions }
}
