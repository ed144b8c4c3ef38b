import jsonata from 'jsonata'
import type { MessagePort } from 'node:worker_threads'
import type { FromMap, MappedRecord, MapWork, ToMap } from './sandbox.types.ts'

/** So many records leave together; the next ones are made when these have been taken. */
const recordsAtOnce = 2_000

/** Evaluates the expression over the rows that come, one by one, and sends what it gives. */
export function serveMap(work: MapWork, port: MessagePort): void {
  const expression = jsonata(work.expression)
  const since = new BigInt64Array(work.clock.since)
  const row = new Int32Array(work.clock.row)
  const queue: Extract<ToMap, { type: 'batch' }>[] = []
  let busy = false
  let taken: (() => void) | null = null
  const send = (message: FromMap): void => port.postMessage(message)

  port.on('message', (message: ToMap) => {
    if (message.type === 'taken') {
      taken?.()
      taken = null
      return
    }
    queue.push(message)
    void workOff()
  })

  async function workOff(): Promise<void> {
    if (busy) return
    busy = true
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      const records = await evaluateBatch(batch)
      if (records === null) return // what failed is told; the process ends this thread
      send({ type: 'done', rows: batch.rows, records })
    }
    busy = false
  }

  /** How many records it gave; null: a row failed. */
  async function evaluateBatch({ columns, rows }: { columns: unknown[][]; rows: number }): Promise<number | null> {
    let records: MappedRecord[] = []
    let made: number[] = []
    let sent = 0
    for (let index = 0; index < rows; index++) {
      Atomics.store(row, 0, index)
      Atomics.store(since, 0, process.hrtime.bigint())
      try {
        addRecords(await expression.evaluate(rowOf(columns, index)), records)
        while (made.length < records.length) made.push(index)
      } catch (error) {
        const { message, position, token } = error as { message?: unknown; position?: unknown; token?: unknown } // JSONata throws objects of its own
        send({
          type: 'failed',
          row: index,
          message: typeof message === 'string' ? message : String(error),
          position: typeof position === 'number' ? position : null,
          token: typeof token === 'string' ? token : null,
        })
        return null
      } finally {
        Atomics.store(since, 0, 0n)
      }
      if (records.length < recordsAtOnce) continue
      sent += records.length
      await sendAndWait(records, made)
      records = []
      made = []
    }
    if (records.length > 0) await sendAndWait(records, made)
    return sent + records.length
  }

  function sendAndWait(records: MappedRecord[], made: number[]): Promise<void> {
    return new Promise((resolve) => {
      taken = resolve
      send({ type: 'records', records, rows: made })
    })
  }

  function rowOf(columns: unknown[][], index: number): Record<string, unknown> {
    const made: Record<string, unknown> = {}
    // NULL is what is not there: JSONata's functions pass over that, and fail on null.
    for (const [at, name] of work.columns.entries()) {
      const value = columns[at]?.[index]
      if (value !== null && value !== undefined) made[name] = value
    }
    for (const at of work.json) {
      const name = work.columns[at]
      const written = columns[at]?.[index]
      if (name !== undefined && typeof written === 'string') made[name] = parseExact(written)
    }
    return made
  }
}

/** Only a text with such numbers needs the slower way. */
const mayRound = /[\d.]{16}|[eE]\+?\d{3}/

/** Numbers that JavaScript would round are text. */
function parseExact(written: string): unknown {
  if (!mayRound.test(written)) return JSON.parse(written)
  return JSON.parse(written, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? context.source
      : value,
  )
}

function isExact(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && source.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length <= 15
}

function addRecords(result: unknown, records: MappedRecord[]): void {
  if (result === undefined || result === null) return
  if (Array.isArray(result)) {
    for (const item of result) addRecord(item, records, 'an item of the result')
  } else addRecord(result, records, 'the result')
}

function addRecord(result: unknown, records: MappedRecord[], what: string): void {
  if (result === undefined || result === null) return
  if (typeof result !== 'object' || Array.isArray(result) || isFunction(result)) {
    throw new Error(`${what} is ${named(result)}; a row is an object, such as {"id": id}`)
  }
  const record = plainObject(result, 0)
  if (Object.hasOwn(record, '')) throw new Error(`${what} has a key without a name, which no column can be called`)
  records.push(record)
}

function plainObject(value: object, depth: number): MappedRecord {
  const made: MappedRecord = {}
  for (const [key, item] of Object.entries(value)) {
    // Defined, not assigned: `__proto__` is a key as any other.
    if (key === '__proto__') Object.defineProperty(made, key, { value: plain(item, depth + 1), enumerable: true })
    else made[key] = plain(item, depth + 1)
  }
  return made
}

/** Without what JSONata keeps beside the values. */
function plain(value: unknown, depth: number): MappedRecord[string] {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value
  if (typeof value !== 'object')
    throw new Error(
      `the result holds ${typeof value === 'undefined' ? 'nothing where a value is wanted' : `a ${typeof value}`}`,
    )
  if (depth > 500) throw new Error('the result is nested more than 500 levels deep')
  if (isFunction(value)) throw new Error('the result holds a function')
  return Array.isArray(value) ? value.map((item) => plain(item, depth + 1)) : plainObject(value, depth)
}

function isFunction(value: object): boolean {
  return typeof value === 'function' || '_jsonata_lambda' in value || '_jsonata_function' in value
}

function named(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' || typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 100))}`
  return typeof value === 'number' ? `the number ${value}` : JSON.stringify(value)
}
