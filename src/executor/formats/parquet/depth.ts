import { openFile } from '../../engine/open-file.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Deeper ones take DuckDB minutes, and then the whole process. */
const mostLevels = 200

/** Throws where the columns of a Parquet file are nested too deep. Whatever else may be wrong with the file is for its reader to say. */
export async function refuseDeep(file: string, tempDir: string): Promise<void> {
  const footer = await footerOf(file)
  const levels = footer === null ? 0 : levelsOf(new Thrift(footer))
  if (levels <= mostLevels) return
  throw new EngineError(
    'FILE_UNREADABLE',
    runMessage('parquet_too_deep', { file: withoutFetched(file, tempDir), most: mostLevels }),
    { hint: runMessage('parquet_too_deep_fix') },
  )
}

const trailer = 8

async function footerOf(file: string): Promise<Buffer | null> {
  const handle = await openFile(file)
  try {
    const { size } = await handle.stat()
    const end = Buffer.alloc(trailer)
    if (size < trailer || (await handle.read(end, 0, trailer, size - trailer)).bytesRead < trailer) return null
    const length = end.readUInt32LE(0)
    if (end.toString('latin1', 4) !== 'PAR1' || length > size - trailer) return null
    const footer = Buffer.alloc(length)
    await handle.read(footer, 0, length, size - trailer - length)
    return footer
  } finally {
    await handle.close()
  }
}

/** Of the metadata's struct: its schema is a flat list in which each group says how many of those behind it are its own. */
function levelsOf(metadata: Thrift): number {
  try {
    for (let field = metadata.field(0); field !== null; field = metadata.field(field.id)) {
      if (field.id !== 2 || field.type !== list) metadata.skip(field.type)
      else return deepest(metadata)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return 0
}

function deepest(schema: Thrift): number {
  let most = 0
  /** Of each open group: how many are still to come. */
  const open: number[] = []
  for (let left = schema.listSize(); left > 0; left--) {
    let children = 0
    for (let field = schema.field(0); field !== null; field = schema.field(field.id)) {
      if (field.id === 5) children = schema.integer()
      else schema.skip(field.type)
    }
    while (open.at(-1) === 0) open.pop()
    const last = open.length - 1
    if (last >= 0) open[last] = (open[last] ?? 0) - 1
    if (children > 0) open.push(children)
    most = Math.max(most, open.length)
  }
  return most
}

const [trueField, falseField, byte, i16, i32, i64, double, binary, list, set, map, struct] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
]

/** As much of Thrift's compact protocol as it takes to find the schema. Throws a RangeError where the bytes end, or are none of it. */
class Thrift {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The next field of a struct; null: it ends. */
  field(last: number): { id: number; type: number } | null {
    const head = this.#byte()
    if (head === 0) return null
    return { id: head >> 4 === 0 ? this.integer() : last + (head >> 4), type: head & 15 }
  }

  integer(): number {
    const value = this.#varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /** Of a list of structs. */
  listSize(): number {
    const head = this.#byte()
    if ((head & 15) !== struct) throw new RangeError('no list of structs')
    return head >> 4 === 15 ? this.#varint() : head >> 4
  }

  skip(type: number, depth = 0): void {
    if (depth > 20) throw new RangeError('nested too deep')
    if (type === trueField || type === falseField) return
    if (type === byte) this.#pass(1)
    else if (type === i16 || type === i32 || type === i64) this.#varint()
    else if (type === double) this.#pass(8)
    else if (type === binary) this.#pass(this.#varint())
    else if (type === struct) {
      for (let field = this.field(0); field !== null; field = this.field(field.id)) this.skip(field.type, depth + 1)
    } else if (type === list || type === set) {
      const head = this.#byte()
      const items = head >> 4 === 15 ? this.#varint() : head >> 4
      for (let item = 0; item < items; item++) this.#item(head & 15, depth)
    } else if (type === map) {
      const items = this.#varint()
      const types = items === 0 ? 0 : this.#byte()
      for (let item = 0; item < items; item++) {
        this.#item(types >> 4, depth)
        this.#item(types & 15, depth)
      }
    } else throw new RangeError(`no type ${type}`)
  }

  /** In lists truth takes a byte. */
  #item(type: number, depth: number): void {
    if (type === trueField || type === falseField) this.#pass(1)
    else this.skip(type, depth + 1)
  }

  #varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const next = this.#byte()
      value += (next & 127) * factor
      if (next < 128) return value
    }
  }

  #pass(bytes: number): void {
    this.#at += bytes
    if (this.#at > this.#bytes.length) throw new RangeError('the bytes end')
  }

  #byte(): number {
    this.#pass(1)
    return this.#bytes[this.#at - 1] ?? 0
  }
}
