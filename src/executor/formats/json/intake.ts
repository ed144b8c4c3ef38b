import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ColumnType } from '../../../language/task/column-types.ts'
import { castColumns } from '../../engine/cast-columns.ts'
import type { CastTarget } from '../../engine/casts.ts'
import { cancelled } from '../../engine/duckdb.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { duckDbType, refuseDuplicates } from '../../engine/sql-text.ts'
import { queryStream, type RowStream } from '../../engine/stream.ts'
import { JsonColumns, changesOf, storageOf, type Wraps } from './columns.ts'
import { JsonCopy } from './copy.ts'
import { jsonRelation, type StoredColumn } from './relation.ts'
import { walkLines } from './walk.ts'

/** Records that come as bytes of JSON on their way into the session; texts stay text. */
export class JsonIntake {
  rows = 0
  readonly #context: StageContext
  readonly #columns: JsonColumns
  readonly #file: string
  readonly #copy: JsonCopy

  private constructor(context: StageContext, file: string, copy: JsonCopy, bare: string) {
    this.#context = context
    this.#file = file
    this.#copy = copy
    this.#columns = new JsonColumns(bare)
  }

  /** `bare`: the column of records that are no objects. */
  static async create(context: StageContext, bare: string): Promise<JsonIntake> {
    const file = join(context.tempDir, `${context.session.newName('records')}.jsonl`)
    return new JsonIntake(context, file, await JsonCopy.create(file), bare)
  }

  /** Takes a sound record. Throws `JsonFault` where it has a key twice, or one without a name. */
  add(bytes: Buffer, at: number, end: number): void {
    this.#columns.read(bytes, at, end)
    this.#columns.note(bytes)
    this.#copy.record(bytes, this.#columns, new Map(), null)
    this.rows++
  }

  has(column: string): boolean {
    return this.#columns.all.some(({ name }) => name === column)
  }

  /** Waits where the disk is slower than the source. */
  async flush(): Promise<void> {
    if (this.#context.signal.aborted) throw cancelled()
    await this.#copy.flush(flushBytes)
  }

  /** For where the records do not come to their end. */
  async close(): Promise<void> {
    await this.#copy.close()
  }

  /** The rows; declared columns come first, also without any record. */
  async finish(declared: Record<string, ColumnType>): Promise<RowStream> {
    await this.#copy.flush()
    await this.close()
    const given = new Map(Object.entries(declared))
    const found = new Map(this.#columns.all.map((column) => [column.name, column]))
    const names = [...new Set([...given.keys(), ...found.keys()])]
    refuseDuplicates(names)
    const wraps = new Map<unknown, Wraps>()
    const stored = names.map((column): StoredColumn => {
      const known = found.get(column)
      if (!known) return { name: column, type: 'VARCHAR', wraps: 'nothing', zoned: false }
      const storage = storageOf({ ...known, shape: null }, given.get(column))
      wraps.set(known, storage.wraps)
      this.#context.changed(changesOf(known, storage, given.get(column)))
      return { name: column, ...storage }
    })
    const wrapped = [...wraps.values()].some((how) => how !== 'nothing')
    const { file, longest } = wrapped ? await this.#wrap(wraps) : { file: this.#file, longest: this.#copy.longest }
    const { sql, columns } = jsonRelation([file], 'newline_delimited', stored, longest)
    const stage = this.#context.stage
    const stream = { ...queryStream(sql, columns, this.rows), trail: [{ stage, sql }] }
    const casts = new Map(
      columns.flatMap(({ name: column, type: from }): [string, CastTarget][] => {
        const type = given.get(column)
        return type === undefined || duckDbType(type) === from
          ? []
          : [[column, { column, from, type, to: duckDbType(type) }]]
      }),
    )
    return casts.size === 0 ? stream : castColumns(stream, stage, casts, false)
  }

  /** The records again, with what DuckDB would change as texts. */
  async #wrap(wraps: ReadonlyMap<unknown, Wraps>): Promise<{ file: string; longest: number }> {
    const file = `${this.#file}.texts`
    const copy = await JsonCopy.create(file)
    try {
      await walkLines(
        this.#file,
        this.#context.signal,
        (bytes, at, end) => {
          const stop = this.#columns.read(bytes, at, end)
          copy.record(bytes, this.#columns, wraps, null)
          return stop
        },
        async () => {
          await copy.flush()
          return 'go on'
        },
        null,
      )
      await copy.flush()
    } finally {
      await copy.close()
    }
    await rm(this.#file)
    return { file, longest: copy.longest }
  }
}

const flushBytes = 262_144
