/** A value in Thrift's compact protocol, of which the metadata of Parquet files is made. */
export interface Packed {
  type: number
  bytes: Buffer
}

export const i32 = (number: number): Packed => ({ type: 5, bytes: zigzag(number) })
export const i64 = (number: number): Packed => ({ type: 6, bytes: zigzag(number) })

export function text(words: string): Packed {
  const bytes = Buffer.from(words)
  return { type: 8, bytes: Buffer.concat([varint(bytes.length), bytes]) }
}

/** Of values of one type. */
export function list(items: readonly Packed[]): Packed {
  const type = items[0]?.type ?? 0
  const head = items.length < 15 ? [items.length * 16 + type] : [0xf0 + type, ...varint(items.length)]
  return { type: 9, bytes: Buffer.concat([Buffer.from(head), ...items.map(({ bytes }) => bytes)]) }
}

/** By number, each at most 15 above the one before it. */
export function struct(fields: Readonly<Record<number, Packed | undefined>>): Packed {
  const parts: Buffer[] = []
  let last = 0
  for (const [id, field] of Object.entries(fields)) {
    if (!field) continue
    parts.push(Buffer.from([(Number(id) - last) * 16 + field.type]), field.bytes)
    last = Number(id)
  }
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) }
}

const zigzag = (number: number): Buffer => varint(number < 0 ? -number * 2 - 1 : number * 2)

/** Beyond 32 bits, too. */
function varint(number: number): Buffer {
  const bytes: number[] = []
  let left = number
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}
