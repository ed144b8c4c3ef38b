/** Names and first rows of the sheets of a workbook, read from its directory and small parts: the file may be of any size. */
import type { StartRow } from './table-start.rules.ts'

export interface Readable {
  readonly size: number
  read(start: number, end: number): Promise<Uint8Array>
}

const tailBytes = 70_000
const partLimit = 4 * 1024 * 1024
/** Of a part as it is unpacked: more than names of sheets need. A few bytes can be packed that fill the memory. */
const textLimit = 2 * 1024 * 1024
/** The first rows of a sheet are within these, packed and unpacked. */
const headBytes = 128 * 1024
const headText = 256 * 1024

interface Part {
  at: number
  packed: number
  method: number
}

async function directoryOf(file: Readable): Promise<{ at: number; bytes: number } | null> {
  const start = Math.max(0, file.size - tailBytes)
  const tail = await file.read(start, file.size)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) {
      return { at: view.getUint32(at + 16, true), bytes: view.getUint32(at + 12, true) }
    }
  }
  return null
}

async function findPart(file: Readable, wanted: string): Promise<Part | null> {
  const directory = await directoryOf(file)
  if (!directory || directory.bytes > partLimit) return null
  const bytes = await file.read(directory.at, directory.at + directory.bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50;) {
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    if (name === wanted) {
      const packed = view.getUint32(at + 20, true)
      return { at: view.getUint32(at + 42, true), packed, method: view.getUint16(at + 10, true) }
    }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return null
}

/** Null: longer than any directory of sheets. */
async function textOf(file: Readable, part: Part): Promise<string | null> {
  if (part.packed > partLimit) return null
  const text = await beginningOf(file, part, textLimit)
  return text === null || text.length > textLimit ? null : text
}

/** A part's text, or little more than its first characters. Null: packed in a way of which nothing is known. */
async function beginningOf(file: Readable, { at, packed, method }: Part, most: number): Promise<string | null> {
  const head = await file.read(at, at + 30)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const start = at + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  // A copy: its buffer begins where it does, as a Blob takes it.
  const bytes = new Uint8Array(await file.read(start, start + packed))
  if (method === 0) return new TextDecoder().decode(bytes)
  if (method !== 8) return null
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))) {
      text += decoder.decode(chunk, { stream: true })
      // Leaving the loop ends the stream.
      if (text.length > most) return text
    }
  } catch (error) {
    // Of a part that was not read to its end, what came out before is as good.
    if (text === '') throw error
  }
  return text + decoder.decode()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string) =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name] ?? whole
  })

interface Sheet {
  name: string
  /** Of its relation. */
  id: string
}

async function sheetList(file: Readable): Promise<Sheet[]> {
  const part = await findPart(file, 'xl/workbook.xml')
  const xml = (part && (await textOf(file, part))) ?? ''
  return [...xml.matchAll(/<(?:\w+:)?sheet\s([^<>]*)>/g)].map(([, attributes = '']) => ({
    name: unescaped(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    id: /\w+:id="([^"]*)"/.exec(attributes)?.[1] ?? '',
  }))
}

/** In the order of the workbook; null where it cannot be told, and the executor says what is wrong. */
export async function sheetsOf(file: Readable): Promise<string[] | null> {
  const sheets = await sheetList(file)
  return sheets.length > 0 ? sheets.map(({ name }) => name) : null
}

/** The first rows of a sheet that hold something. `wanted` null: of the first sheet. Null: they cannot be told. */
export async function sheetRows(file: Readable, wanted: string | null): Promise<StartRow[] | null> {
  const sheets = await sheetList(file)
  const sheet = wanted === null ? sheets[0] : sheets.find(({ name }) => name === wanted)
  const relations = await findPart(file, 'xl/_rels/workbook.xml.rels')
  const xml = relations && (await textOf(file, relations))
  if (!sheet || !xml) return null
  const relation = [...xml.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g)].find(([one]) =>
    one.includes(`Id="${sheet.id}"`),
  )
  const target = /\bTarget="([^"]*)"/.exec(relation?.[0] ?? '')?.[1]
  const part = target && (await findPart(file, target.startsWith('/') ? target.slice(1) : `xl/${target}`))
  if (!part) return null
  const text = await beginningOf(file, { ...part, packed: Math.min(part.packed, headBytes) }, headText)
  return text === null ? null : rowsIn(text)
}

const rowTag = /<(?:\w+:)?row\b((?:[^<>]*[^<>/])?)>([\s\S]*?)<\/(?:\w+:)?row>/g
const cellTag = /<(?:\w+:)?c\b((?:[^<>]*[^<>/])?)>([\s\S]*?)<\/(?:\w+:)?c>/g

function rowsIn(xml: string): StartRow[] {
  const rows: StartRow[] = []
  let number = 0
  for (const [, attributes = '', cells = ''] of xml.matchAll(rowTag)) {
    number = Number(/\br="(\d+)"/.exec(attributes)?.[1] ?? number + 1)
    const filled = [...cells.matchAll(cellTag)].filter(([, , value = '']) => /<(?:\w+:)?(v|t)\b[^<>]*>[^<]/.test(value))
    const last = /\br="([A-Z]+)/.exec(filled.at(-1)?.[1] ?? '')?.[1]
    if (filled.length > 0)
      rows.push({ number, width: last ? columnNumber(last) : filled.length, filled: filled.length })
  }
  return rows
}

/** `AB` → 28 */
const columnNumber = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
