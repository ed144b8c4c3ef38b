/** Names of the sheets of a workbook, read from its directory and one small part: the file may be of any size. */

export interface Readable {
  readonly size: number
  read(start: number, end: number): Promise<Uint8Array>
}

const tailBytes = 70_000
const partLimit = 4 * 1024 * 1024
/** Of a part as it is unpacked: more than names of sheets need. A few bytes can be packed that fill the memory. */
const textLimit = 2 * 1024 * 1024

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

async function textOf(file: Readable, { at, packed, method }: Part): Promise<string | null> {
  if (packed > partLimit) return null
  const head = await file.read(at, at + 30)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const start = at + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  // A copy: its buffer begins where it does, as a Blob takes it.
  const bytes = new Uint8Array(await file.read(start, start + packed))
  if (method === 0) return new TextDecoder().decode(bytes)
  if (method !== 8) return null
  return inflated(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')))
}

/** Null: longer than any directory of sheets. */
async function inflated(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    // Leaving the loop ends the stream.
    if (text.length > textLimit) return null
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

/** In the order of the workbook; null where it cannot be told, and the executor says what is wrong. */
export async function sheetsOf(file: Readable): Promise<string[] | null> {
  const part = await findPart(file, 'xl/workbook.xml')
  const xml = part && (await textOf(file, part))
  if (!xml) return null
  const names = [...xml.matchAll(/<(?:\w+:)?sheet\s[^<>]*?\bname="([^"]*)"/g)].map(([, name]) => unescaped(name ?? ''))
  return names.length > 0 ? names : null
}
