import { contentOf } from './files-packed.ts'

export interface TextLine {
  /** Counted from 1. */
  number: number
  /** Without its end. */
  bytes: Buffer
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** The lines of a file, unpacked, however long they are. */
export async function* linesOf(file: string, signal: AbortSignal): AsyncGenerator<TextLine> {
  let number = 1
  // Of a line that goes on in the next piece.
  let before: Buffer[] = []
  for await (const piece of contentOf(file, signal)) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, from)) {
      yield { number: number++, bytes: withoutReturn(joined(before, piece.subarray(from, end))) }
      before = []
      from = end + 1
    }
    if (from < piece.length) before.push(piece.subarray(from))
  }
  if (before.length > 0) yield { number, bytes: withoutReturn(Buffer.concat(before)) }
}

function joined(before: Buffer[], last: Buffer): Buffer {
  return before.length === 0 ? last : Buffer.concat([...before, last])
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
}

/** Nothing but spaces and tabs. */
export function isBlank({ bytes }: TextLine): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09)
}
