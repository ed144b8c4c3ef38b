import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

/** The texts that cells refer to by number. A few are kept in memory, the rest in a file. */
export interface SharedStrings {
  add(text: string): void
  get(index: number): string | undefined
  close(): void
}

const mostInMemory = 32 * 1024 * 1024
const pageBytes = 65_536
const mostPages = 256

export function createSharedStrings(spillTo: string): SharedStrings {
  const texts: string[] = []
  let characters = 0
  let file: number | null = null
  /** Where each text that is not in memory begins. */
  const offsets: number[] = []
  let written = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  const pages = new Map<number, Buffer>()

  function flush(): void {
    if (file === null || pendingBytes === 0) return
    const block = Buffer.concat(pending)
    for (let done = 0; done < block.length;) {
      done += writeSync(file, block, done, block.length - done, written - pendingBytes + done)
    }
    pending = []
    pendingBytes = 0
    pages.clear()
  }

  function page(index: number): Buffer {
    const known = pages.get(index)
    if (known) return known
    const buffer = Buffer.alloc(pageBytes)
    if (file !== null) readSync(file, buffer, 0, pageBytes, index * pageBytes)
    const oldest = pages.keys().next()
    if (pages.size >= mostPages && !oldest.done) pages.delete(oldest.value)
    pages.set(index, buffer)
    return buffer
  }

  function read(start: number, end: number): string {
    const parts: Buffer[] = []
    for (let at = start; at < end;) {
      const inPage = at % pageBytes
      const length = Math.min(end - at, pageBytes - inPage)
      parts.push(page(Math.floor(at / pageBytes)).subarray(inPage, inPage + length))
      at += length
    }
    return Buffer.concat(parts).toString('utf8')
  }

  return {
    add(text) {
      if (file === null && characters + text.length <= mostInMemory) {
        texts.push(text)
        characters += text.length
        return
      }
      file ??= openSync(spillTo, 'w+')
      const bytes = Buffer.from(text)
      offsets.push(written)
      written += bytes.length
      pending.push(bytes)
      pendingBytes += bytes.length
      if (pendingBytes > 1024 * 1024) flush()
    },
    get(index) {
      if (index < texts.length) return texts[index]
      const start = offsets[index - texts.length]
      if (start === undefined) return undefined
      flush()
      return read(start, offsets[index - texts.length + 1] ?? written)
    },
    close() {
      if (file === null) return
      closeSync(file)
      rmSync(spillTo, { force: true })
    },
  }
}
