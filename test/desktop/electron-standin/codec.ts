// Values that JSON cannot carry, for IPC over CDP: what a structured clone keeps, tagged. The same source runs in main and,
// with its types stripped, in the page (see ipc.ts).

export type Encoded = null | boolean | number | string | Encoded[] | { [key: string]: Encoded }

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** Throws what Electron throws for functions and symbols. */
export function encode(value: unknown): Encoded {
  if (value === undefined) return { $t: 'undefined' }
  if (typeof value === 'bigint') return { $t: 'bigint', v: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $t: 'number', v: String(value) }
  if (typeof value === 'function' || typeof value === 'symbol') throw new Error('An object could not be cloned.')
  if (value === null || typeof value !== 'object') return value as Encoded
  if (value instanceof Date) return { $t: 'date', v: value.getTime() }
  if (value instanceof Error) return { $t: 'error', v: [value.name, value.message, value.stack ?? ''] }
  if (value instanceof Map) return { $t: 'map', v: [...value].map(([key, item]) => [encode(key), encode(item)]) }
  if (value instanceof Set) return { $t: 'set', v: [...value].map(encode) }
  if (value instanceof ArrayBuffer) return { $t: 'buffer', v: toBase64(new Uint8Array(value)) }
  if (ArrayBuffer.isView(value)) {
    return { $t: 'bytes', v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
  }
  if (Array.isArray(value)) return value.map(encode)
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]))
  // An object that looks like a tag is wrapped in one.
  return '$t' in fields ? { $t: 'object', v: fields } : fields
}

type Decoder = (v: never) => unknown

const DECODERS: Record<string, Decoder> = {
  undefined: () => undefined,
  bigint: (v: string) => BigInt(v),
  number: Number,
  date: (v: number) => new Date(v),
  error: decodeError,
  map: (v: [Encoded, Encoded][]) => new Map(v.map(([key, item]) => [decode(key), decode(item)])),
  set: (v: Encoded[]) => new Set(v.map(decode)),
  buffer: (v: string) => fromBase64(v).buffer,
  bytes: fromBase64,
  object: decodeFields,
}

export function decode(value: Encoded): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(decode)
  const decoder = typeof value.$t === 'string' ? DECODERS[value.$t] : undefined
  // `encode` made the tag, and the value to it.
  return decoder ? decoder(value.v as never) : decodeFields(value)
}

function decodeFields(fields: { [key: string]: Encoded }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, decode(item)]))
}

function decodeError([name, message, stack]: [string, string, string]): Error {
  const error = new Error(message)
  error.name = name
  error.stack = stack
  return error
}
