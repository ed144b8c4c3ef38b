/** Server, executor, and connectors with the data of the cases: nothing is stood in for but the model. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { createConnector } from '../../src/contract/connectors.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type RealWorld, startRealWorld } from '../executor/process/real-world.ts'
import { startEvalServices } from './eval-services.ts'

type Cell = string | number | null
export type Row = Record<string, unknown>
type Tables = Record<string, { columns: string; rows: Cell[][] }>

export interface EvalWorld extends RealWorld {
  /** Of connectors, by name. */
  ids: Record<string, number>
  /** Of tasks that job templates can run, by name. */
  tasks: Record<string, number>
  /** As if no case had ever run. */
  clean(): void
}

const literal = (cell: Cell) => (typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell ?? 'NULL'))
const statements = (name: string, { columns, rows }: Tables[string]) =>
  `CREATE TABLE ${name} (${columns}); INSERT INTO ${name} VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')};`

function recordsOf({ columns, rows }: Tables[string]): Record<string, Cell>[] {
  const names = columns.split(', ').map((column) => column.split(' ')[0] ?? '')
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
}

/** What tables of a target hold before each case. */
const held = `
  DROP TABLE IF EXISTS people; DROP TABLE IF EXISTS from_csv; DROP TABLE IF EXISTS counted;
  DROP TABLE IF EXISTS loaded; CREATE TABLE loaded (id INTEGER, status TEXT); INSERT INTO loaded VALUES (77, 'old');
  DROP TABLE IF EXISTS stock; CREATE TABLE stock (id INTEGER PRIMARY KEY, stock INTEGER); INSERT INTO stock VALUES (1, 0), (99, 1);
  DROP TABLE IF EXISTS seen; CREATE TABLE seen (id INTEGER); INSERT INTO seen VALUES (7);`

/** A task over the shop, which job templates run. */
const taskOf = (name: string, table: string) => `etl: 1
kind: pipeline
name: ${name}
description: Writes the table ${table} to ${table}.jsonl
connectors: {shop: {type: sqlite, access: read}, out: {type: file, access: write}}
source: {connector: shop, sql: {table: ${table}}}
target: {connector: out, file: {path: ${table}.jsonl, format: jsonl}}
`
/** A job template that dashboards are for. */
const nightly = `etl: 1
kind: job
name: shop.nightly
connectors: {shop: {type: sqlite}, out: {type: file}}
tasks: {orders: {task: shop.orders, connectors: {shop: shop, out: out}}}
`

/** `used`: connectors of the cases; a server that none of them needs isn't started. */
export async function startEvalWorld(used: ReadonlySet<string>): Promise<EvalWorld> {
  const world = await startRealWorld()
  const at = (...parts: string[]) => join(world.folder, ...parts)
  // Written beside this file, one shape a table.
  const tables = JSON.parse(readFileSync(join(import.meta.dirname, 'data.json'), 'utf8')) as Required<Tables>
  const all = ['customers', 'orders', 'products'].map((name) => ({
    name,
    table: tables[name] ?? { columns: '', rows: [] },
  }))
  const shop = new Database(at('shop.db'))
  for (const { name, table } of all) shop.exec(statements(name, table))
  shop.close()
  const instance = await DuckDBInstance.create(at('lake.duckdb'))
  const lake = await instance.connect()
  await lake.run(statements('events', tables['events'] ?? { columns: '', rows: [] }))
  lake.closeSync()
  instance.closeSync()
  const csvOf = ({ rows }: Tables[string], records: Row[]) =>
    `${[Object.keys(records[0] ?? {}), ...rows].map((row) => row.map((cell) => cell ?? '').join(',')).join('\n')}\n`
  mkdirSync(at('files'))
  for (const { name, table } of all) {
    const records = recordsOf(table)
    if (name === 'customers') writeFileSync(at('files', 'customers.csv'), csvOf(table, records))
    if (name === 'orders')
      writeFileSync(at('files', 'orders.jsonl'), records.map((one) => `${JSON.stringify(one)}\n`).join(''))
    if (name === 'products') writeFileSync(at('files', 'products.json'), JSON.stringify(records))
  }
  const clean = () => {
    rmSync(at('out'), { recursive: true, force: true })
    mkdirSync(at('out'))
    const warehouse = new Database(at('warehouse.db'))
    warehouse.exec(held)
    warehouse.close()
  }
  clean()
  const recordsIn = (name: string) => recordsOf(tables[name] ?? { columns: '', rows: [] })
  const services = await startEvalServices(used, {
    statements: all.flatMap(({ name, table }) => statements(name, table).split('; ')),
    records: { customers: recordsIn('customers'), orders: recordsIn('orders') },
    csv: csvOf(tables['customers'] ?? { columns: '', rows: [] }, recordsIn('customers')),
  })
  const ids: Record<string, number> = {}
  for (const [name, type, config] of [
    ['shop', 'sqlite', { path: at('shop.db') }],
    ['lake', 'duckdb', { path: at('lake.duckdb') }],
    ['warehouse', 'sqlite', { path: at('warehouse.db') }],
    ['source_files', 'file', { root: at('files') }],
    ['out', 'file', { root: at('out') }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- few, and by name
    ids[name] = (await world.client.call(createConnector, { body: { name, type, config } })).id
  }
  for (const { name, connection } of services.running) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    ids[name] = (await world.client.call(createConnector, { body: { name, ...connection } })).id
  }
  const taskIds: Record<string, number> = {}
  for (const table of ['customers', 'orders']) {
    const body = { yaml_content: taskOf(`shop.${table}`, table) }
    // oxlint-disable-next-line no-await-in-loop -- as above
    taskIds[`shop.${table}`] = (await world.client.call(createTask, { body })).id
  }
  await world.client.call(createJobTemplate, { body: { yaml_content: nightly } })
  // oxlint-disable-next-line no-await-in-loop -- the executor starts once
  while ((await world.online()) !== 'online') await wait(50)
  return {
    ...world,
    ids,
    tasks: taskIds,
    clean,
    async close() {
      await world.close()
      await services.stop()
    },
  }
}
