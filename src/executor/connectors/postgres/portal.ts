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
  /** A promise: the connection is not read until it is fulfilled. */
  row(values: Texts): Promise<void> | null
}

/** Rows that the server gives before it waits to be asked again. It may keep rows back within a batch, so the first is small. */
const batches = { first: 100, later: 2000 }

/** The driver's connection as it is, which its types do not say. */
interface Wire extends Pick<pg.Connection, 'stream' | 'once' | 'removeListener'> {
  parse(query: { text: string; name?: string }): void
  bind(config: { values: Texts }): void
  describe(config: { type: 'P' }): void
  execute(config: { rows: number }): void
  flush(): void
  sync(): void
}

/** A statement whose rows are asked for in batches: between them the server waits, without a clock running. */
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

  handleDataRow({ fields }: { fields: Texts }): void {
    if (this.#error !== undefined) return
    try {
      const taken = this.#on.row(fields)
      if (taken) this.#hold(taken)
    } catch (error) {
      this.#error = error
      this.#fail(error)
    }
  }

  handlePortalSuspended(): void {
    if (this.#held) void this.#held.then(() => this.#next())
    else this.#next()
  }

  handleCommandComplete(): void {
    this.#wire?.sync()
  }

  handleEmptyQuery(): void {
    this.#wire?.sync()
  }

  /** The last that the driver tells of a statement. */
  handleError(error: unknown): void {
    this.#error ??= error
    this.#wire?.removeListener('noData', this.#noRows)
    this.#wire?.sync()
    this.#fail(this.#error)
  }

  handleReadyForQuery(): void {
    this.#wire?.removeListener('noData', this.#noRows)
    if (this.#held) this.#held.then(this.#finish, this.#fail)
    else this.#finish()
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
    if (this.#error !== undefined) return
    this.#wire?.execute({ rows: this.#batch })
    this.#wire?.flush()
    this.#batch = batches.later
  }
}
