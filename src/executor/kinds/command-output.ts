import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface OutputOptions {
  line(text: string): void
  /** Waits until there is room for more lines. */
  room(): Promise<void>
}

export const tailBytes = 64 * 1024
/** A longer line becomes several. */
const longestLine = 16_384
/** What a program says beyond this is read, so that it goes on, and no longer logged. */
const mostLogged = 20 * 1024 * 1024

/** Reads what a program writes, to its end, line by line. Bytes that are no UTF-8 become `�`. */
export async function readOutput(stream: Readable, { line, room }: OutputOptions, into: OutputTail): Promise<void> {
  const decoder = new StringDecoder('utf8')
  let open = ''
  let logged = 0
  let truncated = false
  const say = (text: string): void => {
    logged += text.length + 1
    if (logged <= mostLogged) return line(text)
    if (!truncated) line(`More than ${mostLogged / 1024 / 1024} MiB of output: the rest is not logged`)
    truncated = true
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    into.add(chunk)
    if (truncated) continue
    const parts = (open + decoder.write(chunk)).split('\n')
    open = parts.pop() ?? ''
    for (const part of parts) sayLine(part, say)
    if (open.length > longestLine) {
      sayLine(open, say)
      open = ''
    }
    await room()
  }
  open += decoder.end()
  if (open !== '' && !truncated) sayLine(open, say)
}

function sayLine(text: string, say: (text: string) => void): void {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  if (line.length <= longestLine) return say(line)
  for (let at = 0; at < line.length; at += longestLine) say(line.slice(at, at + longestLine))
}

/** Keeps the end of what goes through it. */
export class OutputTail {
  #chunks: Buffer[] = []
  #kept = 0
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#kept += chunk.length
    this.#bytes += chunk.length
    while (this.#kept - (this.#chunks[0]?.length ?? 0) >= tailBytes) this.#kept -= this.#chunks.shift()?.length ?? 0
  }

  /** Begins with a whole character. */
  text(): string {
    const all = Buffer.concat(this.#chunks)
    let from = Math.max(0, all.length - tailBytes)
    if (from > 0) for (let tries = 0; tries < 3 && ((all[from] ?? 0) & 0xc0) === 0x80; tries++) from++
    return all.toString('utf8', from)
  }
}
