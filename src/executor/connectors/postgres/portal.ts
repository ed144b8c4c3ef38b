import type pg from 'pg'

type Texts = (string | null)[]
interface Field {
  name: string
  dataTypeID: number
  dataTypeModifier: number
}

export interface PortalHandlers {
  /** Rows wait for what it promises. */
  fields(fields: Field[]): Promise<void>
  /** A row begins at `at`, as `textsOf` reads it. A promise: the connection is not read until it is fulfilled. */
  row(bytes: Buffer, at: number): Promise<void> | null
}

/** The values of a row: their number in 16 bits, then each behind its length in 32 bits, which is -1 of NULL. */
export function textsOf(bytes: Buffer, at: number): Texts {
  const texts: Texts = []
  let from = at + 2
  for (let left = bytes.readInt16BE(at); left > 0; left--) {
    const length = bytes.readInt32BE(from)
    from += 4
    texts.push(length < 0 ? null : bytes.toString('utf8', from, from + length))
    if (length > 0) from += length
  }
  return texts
}

/** A message is a letter and its length, which counts itself. */
const messageHead = 5
const [dataRow, portalSuspended, readyForQuery] = [0x44, 0x73, 0x5a] as const

/**
 * Rows that the server gives before it waits to be asked again. It may keep rows back within a batch, so the first is small. Later batches of
 * narrow rows have about as many bytes as lie on a connection: with fewer, server and reader wait for each other in turns. None is to take much
 * longer than a second: the server's statement timeout counts for each.
 */
const batches = { first: 100, least: 2000, most: 20_000, bytes: 1 << 19, ms: 1000 }

/** The driver's connection as it is, which its types do not say. */
interface Wire extends Pick<pg.Connection, 'once' | 'removeListener'> {
  stream: pg.Connection['stream'] & { bytesRead?: number }
  parse(query: { text: string; name?: string }): void
  bind(config: { values: Texts }): void
  describe(config: { type: 'P' }): void
  execute(config: { rows: number }): void
  flush(): void
  sync(): void
}

/**
 * A statement whose rows are asked for in batches, within a transaction. After each batch the server is idle, so that its statement timeout
 * counts for the batch and not for whoever reads slowly; the driver hears nothing of that. Rows are read off the connection
 * directly: the driver would make an object of every row, and a text of every value. All other messages are the driver's.
 */
export class Portal implements pg.Submittable {
  /** Fulfilled after the last row, when the connection is free again. */
  readonly complete: Promise<void>
  readonly #sql: string
  readonly #values: Texts
  readonly #on: PortalHandlers
  #wire: Wire | null = null
  #finish!: () => void
  #fail!: (error: unknown) => void
  #error: unknown
  #batch = batches.first
  #isBegun = false
  /** A batch was asked for, after which the server will be ready by itself. */
  #isAsked = false
  #isSuspended = false
  #isOver = false
  /** Bytes that had arrived when the batch was asked for. */
  #arrived = 0
  #askedAt = 0
  #driver: ((bytes: Buffer) => void) | null = null
  /** Pieces of a message that is not complete. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  #wanted = 0
  /** What the handlers were given last and have not yet taken. */
  #held: Promise<void> | null = null

  /** The extended protocol takes one statement only. */
  constructor(sql: string, values: Texts, on: PortalHandlers) {
    this.#sql = sql
    this.#values = values
    this.#on = on
    this.complete = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
    })
    this.complete.catch(() => undefined) // heard by whoever waits for it
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire // see there
    this.#wire = wire
    const [driver] = wire.stream.listeners('data')
    this.#driver = driver as (bytes: Buffer) => void // the driver's only listener: it parses messages
    wire.stream.on('data', this.#onBytes)
    wire.stream.removeListener('data', this.#driver)
    wire.parse({ text: this.#sql })
    wire.bind({ values: this.#values })
    wire.describe({ type: 'P' })
    wire.flush()
    wire.once('noData', this.#noRows)
  }

  /** A statement that gives none is not run. */
  readonly #noRows = (): void => this.#hold(this.#on.fields([]), () => this.#wire?.sync())

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#hold(this.#on.fields(fields), () => this.#next())
  }

  readonly #onBytes = (bytes: Buffer): void => {
    const missing = this.#wanted - this.#pieceBytes
    // Joined with all of the bytes, every byte of a result would be copied once more.
    const end = missing > 0 ? Math.min(missing, bytes.length) : bytes.length
    this.#pieces.push(end < bytes.length ? bytes.subarray(0, end) : bytes)
    this.#pieceBytes += end
    if (this.#pieceBytes < this.#wanted) return
    const first = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#pieceBytes = this.#wanted = 0
    this.#take(first)
    if (end < bytes.length) this.#take(bytes.subarray(end))
  }

  /** Takes the messages that are complete, in their order. */
  #take(bytes: Buffer): void {
    let at = 0
    /** What is the driver's begins here. */
    let others = 0
    while (at + messageHead <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length) {
        this.#wanted = end - at
        break
      }
      const type = bytes[at]
      const isBetween = type === readyForQuery && this.#isSuspended
      if (type === dataRow || isBetween) {
        if (others < at) this.#driver?.(bytes.subarray(others, at))
        if (isBetween) this.#ready()
        else this.#row(bytes, at + messageHead)
        others = end
      }
      if (type === portalSuspended) this.#isSuspended = true
      at = end
    }
    const rest = bytes.subarray(at)
    if (others < at) this.#driver?.(bytes.subarray(others, at))
    if (rest.length === 0) return
    if (this.#isOver) this.#driver?.(rest)
    else {
      this.#pieces = [rest]
      this.#pieceBytes = rest.length
    }
  }

  #row(bytes: Buffer, at: number): void {
    if (this.#error !== undefined) return
    try {
      const taken = this.#on.row(bytes, at)
      if (taken) this.#hold(taken)
    } catch (error) {
      this.#error = error
      this.#fail(error)
    }
  }

  /** Between two batches. */
  #ready(): void {
    this.#isSuspended = this.#isAsked = false
    if (this.#held) void this.#held.then(() => this.#next())
    else this.#next()
  }

  // The driver tells of them; the server is ready behind each of them by itself.
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  /** The last that the driver tells of a statement. */
  handleError(error: unknown): void {
    this.#error ??= error
    this.#wire?.removeListener('noData', this.#noRows)
    if (!this.#isAsked) this.#wire?.sync()
    this.#fail(this.#error)
  }

  handleReadyForQuery(): void {
    this.#giveBack()
    this.#wire?.removeListener('noData', this.#noRows)
    if (this.#held) this.#held.then(this.#finish, this.#fail)
    else this.#finish()
  }

  /** Gives the connection back to the driver. */
  #giveBack(): void {
    const stream = this.#wire?.stream
    if (!stream || !this.#driver) return
    this.#isOver = true
    stream.on('data', this.#driver)
    stream.removeListener('data', this.#onBytes)
  }

  /** Reads nothing more until `taken` is fulfilled; then goes on with `then`. */
  #hold(taken: Promise<void>, then: () => void = () => undefined): void {
    const { stream } = this.#wire as Wire // set before any message comes
    stream.pause()
    // Rows that the driver had parsed already come all the same: each waits for those before it.
    const all = Promise.all([this.#held, taken]).then(() => undefined)
    this.#held = all
    void this.#release(all, then)
  }

  async #release(all: Promise<void>, then: () => void): Promise<void> {
    try {
      await all
    } catch (error) {
      this.#error ??= error
      this.#fail(error)
    }
    if (this.#held === all) this.#held = null
    ;(this.#wire as Wire).stream.resume()
    if (this.#error === undefined) then()
  }

  #next(): void {
    const wire = this.#wire
    if (this.#error !== undefined || !wire) return
    const { bytesRead = 0 } = wire.stream
    const bytes = bytesRead - this.#arrived
    const now = performance.now()
    if (this.#isBegun) {
      const rows = Math.max(Math.floor((this.#batch * batches.bytes) / Math.max(bytes, 1)), batches.least)
      const inTime = Math.max(Math.floor((this.#batch * batches.ms) / (now - this.#askedAt)), batches.first)
      this.#batch = Math.min(rows, inTime, batches.most)
    }
    this.#askedAt = now
    this.#isBegun = this.#isAsked = true
    this.#arrived = bytesRead
    wire.execute({ rows: this.#batch })
    wire.sync()
  }
}
