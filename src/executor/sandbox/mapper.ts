import { shortened } from '../../language/shortened.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import type { FromMap, MappedRecord, ToMap } from './sandbox.types.ts'
import { startThread, type Thread } from './thread.ts'
import { runMessage } from '../../contract/run-messages.ts'

export interface MapperOptions {
  expression: string
  timeoutMs: number
  columns: string[]
  /** Indexes of columns that come as JSON text. */
  json: number[]
  signal: AbortSignal
  /** Of the step: what fails here did not fail in the query that feeds it. */
  stage: number
  /** `row`: which of the rows given it was made of, from 0. Waits where the disk is slower than the expression. */
  take(record: MappedRecord, row: number): Promise<void>
}

/** Gives rows to an expression in a thread of its own. */
export interface Mapper {
  /** Waits while enough is under way. */
  add(columns: unknown[][], rows: number): Promise<void>
  /** All that was given has been mapped and taken. */
  finish(): Promise<void>
  end(): Promise<void>
}

/** The next batch is read while the thread works on one. */
const batchesAtOnce = 2
/** What an expression may hold at a time. */
const memoryMb = 256

interface Batch {
  columns: unknown[][]
  rows: number
  /** Number of its first row, from 0. */
  first: number
  /** Made of its rows, and put down. */
  taken: number
}

export function startMapper(options: MapperOptions): Mapper {
  const since = new BigInt64Array(new SharedArrayBuffer(8))
  const row = new Int32Array(new SharedArrayBuffer(4))
  const underWay: Batch[] = []
  let given = 0
  let answered = 0
  let failure: EngineError | null = null
  let changed: (() => void)[] = []
  const wake = (): void => {
    for (const listener of changed.splice(0)) listener()
  }
  const fail = (error: EngineError): void => {
    error.stage ??= options.stage
    failure ??= error
    void thread.end()
    wake()
  }
  const thread: Thread<ToMap> = startThread<ToMap, FromMap>({
    work: {
      kind: 'map',
      expression: options.expression,
      columns: options.columns,
      json: options.json,
      clock: { since: since.buffer, row: row.buffer },
    },
    memoryMb,
    hear(message) {
      if (message.type === 'records') void take(message)
      else if (message.type === 'failed') fail(rowFailed(message))
      else finishBatch(message)
    },
    lost: (reason, error) => fail(reason === 'memory' ? outOfMemory() : crashed(error)),
  })
  const timer = setInterval(checkTime, Math.min(250, Math.max(5, options.timeoutMs / 4)))
  const abort = (): void => fail(cancelled())
  options.signal.addEventListener('abort', abort)
  if (options.signal.aborted) abort()

  function finishBatch({ rows, records }: Extract<FromMap, { type: 'done' }>): void {
    const batch = underWay.shift()
    try {
      requireSameRows(batch?.rows ?? 0, rows, 'Rows given to the expression')
      requireSameRows(records, batch?.taken ?? 0, 'Rows made by the expression')
      answered += rows
      wake()
    } catch (error) {
      fail(asEngineError(error))
    }
  }

  async function take({ records, rows }: Extract<FromMap, { type: 'records' }>): Promise<void> {
    const [batch] = underWay
    try {
      requireSameRows(records.length, rows.length, 'Rows made by the expression')
      for (const [at, record] of records.entries()) await options.take(record, (batch?.first ?? 0) + (rows[at] ?? 0))
      if (batch) batch.taken += records.length
      thread.send({ type: 'taken' })
    } catch (error) {
      fail(error instanceof EngineError ? error : crashed(error))
    }
  }

  function checkTime(): void {
    const began = Atomics.load(since, 0)
    if (began === 0n || process.hrtime.bigint() - began < BigInt(options.timeoutMs) * 1_000_000n) return
    fail(
      new EngineError(
        'EXPRESSION_FAILED',
        runMessage('expression_too_slow', { row: shownRow(Atomics.load(row, 0)), seconds: options.timeoutMs / 1000 }),
        {
          hint: runMessage('expression_too_slow_fix'),
        },
      ),
    )
  }

  function rowFailed({ row: index, message, position, token }: Extract<FromMap, { type: 'failed' }>): EngineError {
    const at = position === null ? '' : ` at ${placeOf(options.expression, position, token)}`
    return new EngineError(
      'EXPRESSION_FAILED',
      runMessage('expression_failed_in_row', { row: shownRow(index), at, text: message.trim() }),
      {
        hint: runMessage('expression_failed_in_row_fix'),
      },
    )
  }

  function outOfMemory(): EngineError {
    return new EngineError(
      'EXPRESSION_FAILED',
      runMessage('expression_out_of_memory', { row: shownRow(Atomics.load(row, 0)), memoryMb }),
      { hint: runMessage('expression_out_of_memory_fix') },
    )
  }

  function shownRow(index: number): string {
    const [batch] = underWay
    if (!batch) return 'A row'
    const values = Object.fromEntries(options.columns.map((column, at) => [column, batch.columns[at]?.[index]]))
    return `Row ${(batch.first + index + 1).toLocaleString('en')} (${shortened(JSON.stringify(values), 500)})`
  }

  /** Waits until `ready`, or until something has gone wrong. */
  async function until(ready: () => boolean): Promise<void> {
    for (;;) {
      if (failure) throw failure
      if (ready()) return
      await new Promise<void>((resolve) => void changed.push(resolve))
    }
  }

  return {
    async add(columns, rows) {
      await until(() => underWay.length < batchesAtOnce)
      for (const column of columns) requireSameRows(rows, column.length, 'Values given to the expression')
      underWay.push({ columns, rows, first: given, taken: 0 })
      given += rows
      thread.send({ type: 'batch', columns, rows })
    },
    async finish() {
      await until(() => underWay.length === 0)
      requireSameRows(given, answered, 'Rows given to the expression')
    },
    async end() {
      clearInterval(timer)
      options.signal.removeEventListener('abort', abort)
      await thread.end()
    },
  }
}

function crashed(error: unknown): EngineError {
  return new EngineError('INTERNAL_ERROR', runMessage('expression_thread_ended'), { cause: error })
}

/** JSONata counts positions to just after the token. */
function placeOf(expression: string, position: number, token: string | null): string {
  const at = Math.max(0, Math.min(position, expression.length) - (token?.length ?? 1))
  const lines = expression.slice(0, at).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  return expression.includes('\n') ? `line ${lines.length}, column ${column}` : `column ${column}`
}
