import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runTask, type FinishedRun } from '../engine/run-task.ts'
import { castTable } from './casts.ts'
import { openSystems, type System } from './systems.ts'
import { typesPage, type Verdict } from './types-page.ts'
import { valueTypes, type ValueType } from './value-types.ts'

/**
 * Every type of value, into every system and back, and on from each system into each other: nothing is lost on the way, or the run is
 * refused with a reason. What becomes of each type is written down in docs/types.md; `UPDATE_DOCS=1` writes the page anew.
 */
describe('types across systems', () => {
  let folder: string
  let duckdb: DuckDBConnection
  let systems: System[]
  let stop: () => Promise<void>
  let files: BoundConnector
  /** By system and type. */
  const verdicts = new Map<string, Map<string, Verdict>>()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headgate-types-'))
    mkdirSync(join(folder, 'reference'))
    duckdb = await (await DuckDBInstance.create()).connect()
    await duckdb.run(`SET TimeZone = 'UTC'`)
    ;({ systems, stop } = await openSystems(folder))
    files = { id: 1, name: 'reference', type: 'file', config: { root: join(folder, 'reference') }, secrets: {} }
    for (const type of valueTypes) await writeReference(`one_${type.key}`, [type])
  }, 120_000)
  afterAll(async () => {
    await stop?.()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A Parquet file with one column a type and one row a value, NULL among them. */
  async function writeReference(name: string, types: readonly ValueType[]): Promise<void> {
    const longest = Math.max(...types.map(({ values }) => values.length))
    const rows = Array.from({ length: longest + 1 }, (_, row) => {
      const fields = types.map(
        ({ key, duckdb: type, values }) => `CAST(${values[row] ?? 'NULL'} AS ${type}) AS v_${key}`,
      )
      return `SELECT ${row} AS id, ${fields.join(', ')}`
    })
    const path = join(folder, 'reference', `${name}.parquet`)
    await duckdb.run(`COPY (${rows.join(' UNION ALL ')} ORDER BY id) TO '${path}' (FORMAT parquet)`)
  }

  const write = (name: string, into: System, table: string, drop: readonly string[] = []): Promise<FinishedRun> =>
    runTask(
      `etl: 1
kind: pipeline
name: write
connectors: {reference: {type: file}, there: {type: ${into.type}, access: write}}
source: {connector: reference, files: {glob: ${name}.parquet}}
steps: [${drop.length > 0 ? `{drop: [${drop.map((key) => `v_${key}`).join(', ')}]}` : ''}]
target:
  connector: there
  ${into.target(table)}
`,
      { reference: files, there: into.connector },
    )

  const pass = (
    from: System,
    table: string,
    into: System,
    types: readonly ValueType[],
    drop: readonly string[],
  ): Promise<FinishedRun> =>
    runTask(
      `etl: 1
kind: pipeline
name: pass
connectors: {here: {type: ${from.type}}, there: {type: ${into.type}, access: write}}
source: {connector: here, ${from.source(table, types)}}
steps: [${drop.length > 0 ? `{drop: [${drop.map((key) => `v_${key}`).join(', ')}]}` : ''}]
target:
  connector: there
  ${into.target(`${table}_passed`)}
`,
      { here: from.connector, there: into.connector },
    )

  /** The rows of a table as a Parquet file. */
  async function readBack(from: System, table: string, name: string, types: readonly ValueType[]): Promise<string> {
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {here: {type: ${from.type}}, reference: {type: file, access: write}}
source: {connector: here, ${from.source(table, types)}}
target: {connector: reference, file: {path: ${name}.parquet}}
`,
      { here: from.connector, reference: files },
    )
    if (run.error) throw new Error(`${from.title}, reading ${table}: ${run.error.code} ${run.error.message}`)
    return join(folder, 'reference', `${name}.parquet`)
  }

  /** The values of a type as text that two equal values share. */
  async function values(path: string, { key, duckdb: type }: ValueType): Promise<Map<number, string | null>> {
    const [info] = (await duckdb.runAndReadAll(`DESCRIBE SELECT v_${key} FROM '${path}'`)).getRows()
    const nested = /^(STRUCT|JSON)|\]$/.test(type)
    const stored = String(info?.[1])
    // Nested values come back as JSON from most systems, and are compared as such.
    const asText = !nested
      ? `CAST(TRY_CAST(v_${key} AS ${type}) AS VARCHAR)`
      : stored === 'JSON' || stored === 'VARCHAR'
        ? `CAST(v_${key} AS VARCHAR)`
        : `CAST(to_json(v_${key}) AS VARCHAR)`
    const rows = (
      await duckdb.runAndReadAll(`SELECT CAST(id AS INTEGER), ${asText} FROM '${path}' ORDER BY 1`)
    ).getRows()
    return new Map(
      rows.map(([id, text]) => [Number(id), text === null ? null : nested ? sortedJson(String(text)) : String(text)]),
    )
  }

  async function storedType(path: string, key: string): Promise<string> {
    const [row] = (await duckdb.runAndReadAll(`DESCRIBE SELECT v_${key} FROM '${path}'`)).getRows()
    return String(row?.[1])
  }

  /** Throws when values were lost, or were refused as a fault of ours. */
  async function judge(system: System, type: ValueType): Promise<Verdict> {
    const table = `one_${type.key}`
    const run = await write(table, system, table)
    if (run.error?.code === 'INTERNAL_ERROR') throw new Error(`${type.title}: ${run.error.message}`)
    if (run.error) return { kind: 'refused', reason: run.error.message }
    const path = await readBack(system, table, `${system.key}_${type.key}`, [type])
    const wanted = [...(await values(join(folder, 'reference', `${table}.parquet`), type))]
    const found = [...(await values(path, type))]
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      throw new Error(`${type.title}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
    }
    const native = await system.nativeType(table, `v_${type.key}`, folder)
    return { kind: 'kept', native, read: await storedType(path, type.key) }
  }

  for (const key of ['postgres', 'mysql', 'sqlite', 'duckdb', 'mongodb', 'parquet', 'csv', 'jsonl', 'json', 'xlsx']) {
    it(`come back from ${key} as they went, or are refused`, { timeout: 120_000 }, async () => {
      const system = systems.find((one) => one.key === key)
      if (!system) throw new Error(`no system ${key}`)
      const found = new Map<string, Verdict>()
      verdicts.set(key, found)
      const problems: unknown[] = []
      for (const type of valueTypes) {
        await judge(system, type).then(
          (verdict) => found.set(type.key, verdict),
          (error: unknown) => problems.push(error instanceof Error ? error.message : error),
        )
      }
      expect(problems).toEqual([])
    })
  }

  it('keep their values from each system into each other', { timeout: 600_000 }, async () => {
    const keeps = (system: System, { key }: ValueType): boolean => verdicts.get(system.key)?.get(key)?.kind === 'kept'
    const problems: string[] = []
    for (const from of systems) {
      const kept = valueTypes.filter((type) => keeps(from, type))
      await writeReference(`all_${from.key}`, kept)
      const written = await write(`all_${from.key}`, from, `all_${from.key}`)
      if (written.error) problems.push(`${from.title}: ${written.error.code} ${written.error.message}`)
      for (const into of systems.filter((one) => one !== from)) {
        const dropped = kept.filter((type) => !keeps(into, type)).map(({ key }) => key)
        const run = await pass(from, `all_${from.key}`, into, kept, dropped)
        if (run.error) {
          problems.push(`${from.title} → ${into.title}: ${run.error.code} ${run.error.message}`)
          continue
        }
        const path = await readBack(
          into,
          `all_${from.key}_passed`,
          `${from.key}_to_${into.key}`,
          kept.filter(({ key }) => !dropped.includes(key)),
        )
        for (const type of kept.filter(({ key }) => !dropped.includes(key))) {
          const wanted = await values(join(folder, 'reference', `all_${from.key}.parquet`), type)
          const found = await values(path, type)
          if (JSON.stringify([...found]) !== JSON.stringify([...wanted])) {
            problems.push(`${from.title} → ${into.title}, ${type.title}: ${JSON.stringify([...found])}`)
          }
        }
      }
    }
    expect(problems).toEqual([])
  })

  it('are as docs/types.md says', async () => {
    const page = typesPage(valueTypes, systems, verdicts, await castTable())
    const path = join(import.meta.dirname, '../../../docs/types.md')
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, page)
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(page)
  })
})

function sortedJson(text: string): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => [key, sorted(item)]),
    )
  }
  // Numbers by their digits: JSON.parse would round the large ones, on both sides alike.
  const exact = text.replace(/(?<=^|[[,:\s])-?\d{16,}(?=$|[\],}\s])/g, (digits) => `"${digits}"`)
  return JSON.stringify(sorted(JSON.parse(exact)))
}
