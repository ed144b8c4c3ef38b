const firstBytes = 1 << 16
/** A single long row leaves no large buffer behind. */
const mostKept = 1 << 22

/** Text in UTF-8 that grows at its end. */
export class TextBuffer {
  #bytes: Buffer = Buffer.allocUnsafe(firstBytes)
  #used = 0

  get length(): number {
    return this.#used
  }

  /** Where the text goes on at `length`, with room for so many bytes. */
  room(bytes: number): Buffer {
    if (this.#used + bytes > this.#bytes.length) this.#grow(bytes)
    return this.#bytes
  }

  /** What was put into the room is part of the text. */
  end(at: number): void {
    this.#used = at
  }

  add(text: string): void {
    const bytes = this.room(text.length * 3)
    if (text.length > 0) this.#used += bytes.write(text, this.#used)
  }

  /** A copy of what was written since: a new buffer would have to grow again each time. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#used))
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafe(firstBytes)
    this.#used = 0
    return taken
  }

  #grow(most: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#used + most, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#used)
    this.#bytes = larger
  }
}
