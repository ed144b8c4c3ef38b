import { DuckDBInstance } from '@duckdb/node-api'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { attachFile } from '../../../src/executor/engine/attached-files.ts'
import { duckFile, holdOpen, type DuckFile } from './duckdb-fixture.ts'
import { runTask, temporaryFolder, type FinishedRun } from './run-task.ts'

/** A file as a process leaves it that is killed while it empties its journal, within the write of the first block of metadata. */
interface Torn {
  file: Buffer
  journal: Buffer
  copies: Buffer
}

const headLength = 12_288
let torn: Torn

beforeAll(async () => {
  const { path, sql } = duckFile()
  await sql(`CREATE TABLE kept AS SELECT i AS id, 'x' || i AS s FROM range(50000) AS r(i)`)
  await sql('CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR); INSERT INTO t VALUES (1, $$a$$)')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const { signal } = new AbortController()
  const attached = await attachFile(connection, { path, access: 'write', connector: 'w' }, 'w', { signal })
  await connection.run(`INSERT INTO w.t SELECT i, 'n' || i FROM range(2, 20002) AS r(i)`)
  const before = readFileSync(path)
  const [journal, copies] = [readFileSync(`${path}.wal`), readFileSync(`${path}.headgate-blocks`)]
  expect(await attached.emptyJournal()).toBeNull()
  const file = readFileSync(path)
  // The header is written last, so that the old one is still there; of the block, one page of the new one was written.
  before.copy(file, 0, 0, headLength)
  before.copy(file, headLength + 4096, headLength + 4096, headLength + 262_144)
  await connection.run('DETACH w')
  attached.release()
  connection.closeSync()
  instance.closeSync()
  expect(existsSync(`${path}.headgate-blocks`)).toBe(false)
  torn = { file, journal, copies }
})

let db: DuckFile
const copiesPath = (): string => `${db.path}.headgate-blocks`
beforeEach(() => {
  db = duckFile()
  writeFileSync(db.path, torn.file)
  writeFileSync(`${db.path}.wal`, torn.journal)
})

const task = (rest: string, access = 'read_write'): Promise<FinishedRun> =>
  runTask(`etl: 1\nkind: pipeline\nname: test\nconnectors: {db: {type: duckdb, access: ${access}}}\n${rest}`, {
    db: db.bound,
  })
const upsert = (): Promise<FinishedRun> =>
  task(
    'source: {inline: {rows: [{id: 1, s: b}, {id: 30000, s: c}]}}\ntarget: {connector: db, table: t, mode: upsert, key: [id]}\n',
  )
const state = (): Promise<unknown[][]> =>
  db.sql('SELECT (SELECT count(*) FROM kept), (SELECT sum(id) FROM kept), count(*), sum(id), min(s) FROM t')

describe('a DuckDB file whose writer was killed while it wrote over a block', () => {
  it('is broken for DuckDB alone', async () => {
    await expect(state()).rejects.toThrow(/checksum .* in block at location 12288/)
  })

  it('has all rows for the next run that writes it, also those that were committed last', async () => {
    writeFileSync(copiesPath(), torn.copies)
    expect((await upsert()).error).toBeUndefined()
    expect(await state()).toEqual([['50000', '1249975000', '20002', '200060001', 'b']])
    expect(existsSync(copiesPath())).toBe(false)
  })

  it('has them for a run that only reads, and for other programs after it', async () => {
    writeFileSync(copiesPath(), torn.copies)
    const out = duckFile()
    const run = await runTask(
      `etl: 1\nkind: pipeline\nname: test\nconnectors: {db: {type: duckdb, access: read}, out: {type: duckdb, access: write}}\nsource: {connector: db, sql: {table: t}}\ntarget: {connector: out, table: t, mode: append}\n`,
      { db: db.bound, out: out.bound },
    )
    expect(run).toMatchObject({ status: 'success', item_count: 20_001 })
    expect(await state()).toEqual([['50000', '1249975000', '20001', '200030001', 'a']])
  })

  it('stays as it is where the copies are of another state of the file', async () => {
    const copies = Buffer.from(torn.copies)
    copies.writeUInt8((copies[4096 + 16] ?? 0) ^ 1, 4096 + 16)
    writeFileSync(copiesPath(), copies)
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
    expect(readFileSync(db.path).equals(torn.file)).toBe(true)
  })

  const at = headLength + 8
  const withNumber = (place: number, number: bigint): Buffer => {
    const copies = Buffer.from(torn.copies)
    copies.writeBigUInt64LE(number, place)
    return copies
  }
  it.each<[string, () => Buffer]>([
    ['lead behind the end of the file', () => withNumber(at, BigInt(headLength) + 262_144n * 2n ** 25n)],
    ['lead into the headers', () => withNumber(at, 4096n)],
    ['lead between blocks', () => withNumber(at, BigInt(headLength) + 4096n)],
    ['have blocks without a size', () => withNumber(headLength, 0n)],
    ['have blocks of another size', () => withNumber(headLength, 2n ** 40n)],
    ['end within a block', () => torn.copies.subarray(0, -1)],
    ['end within the headers', () => torn.copies.subarray(0, headLength)],
    ['are empty', () => Buffer.alloc(0)],
  ])('stays as it is where the copies %s', async (_, copies) => {
    writeFileSync(copiesPath(), copies())
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
    expect(readFileSync(db.path).equals(torn.file)).toBe(true)
  })

  it('stays as it is where the copies are longer than it could ever need', async () => {
    writeFileSync(copiesPath(), torn.copies)
    truncateSync(copiesPath(), 2 ** 40)
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
    expect(readFileSync(db.path).equals(torn.file)).toBe(true)
  })

  it.runIf(process.getuid?.() === 0)('stays as it is where another account has made the copies', async () => {
    writeFileSync(copiesPath(), torn.copies)
    chownSync(copiesPath(), 12_345, 12_345)
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
    expect(readFileSync(db.path).equals(torn.file)).toBe(true)
  })

  it.runIf(process.platform !== 'win32')('is not waited for where the copies are a pipe', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', copiesPath()])
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
  })

  it('stays as it is where the copies are a link to others', async () => {
    const elsewhere = join(temporaryFolder(), 'copies')
    writeFileSync(elsewhere, torn.copies)
    symlinkSync(elsewhere, copiesPath())
    expect((await upsert()).error?.code).toBe('FILE_UNREADABLE')
    expect(readFileSync(db.path).equals(torn.file)).toBe(true)
  })
})

describe('copies of the blocks of a DuckDB file', () => {
  it('fail a run with their path where a folder is in their place', async () => {
    const sound = duckFile()
    await sound.sql('CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR)')
    mkdirSync(`${sound.path}.headgate-blocks`)
    const { error } = await runTask(
      'etl: 1\nkind: pipeline\nname: test\nconnectors: {db: {type: duckdb, access: write}}\nsource: {inline: {rows: [{id: 1, s: b}]}}\ntarget: {connector: db, table: t, mode: append}\n',
      { db: sound.bound },
    )
    expect(error).toMatchObject({
      code: 'DATABASE_REFUSED',
      hint: expect.stringContaining('Remove or rename') as unknown,
    })
    expect(error?.message).toContain(`${sound.path}.headgate-blocks`)
    expect(await sound.sql('SELECT count(*) FROM t')).toEqual([['0']])
  })

  it('are put back only once nobody has the file open', async () => {
    const sound = duckFile()
    await sound.sql('CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR)')
    copyFileSync(sound.path, db.path)
    writeFileSync(`${db.path}.wal`, '')
    const letGo = await holdOpen(db.path)
    const head = readFileSync(db.path).subarray(0, headLength)
    // They would change the file if they were put back.
    writeFileSync(copiesPath(), Buffer.concat([head, torn.copies.subarray(headLength)]))
    const before = readFileSync(db.path)
    const { error } = await upsert()
    await letGo()
    expect(error?.code).toBe('DATABASE_LOCKED')
    expect(readFileSync(db.path).equals(before)).toBe(true)
  })

  it('stay away where a run fails, and where many runs follow one another', async () => {
    const sound = duckFile()
    db = sound
    await sound.sql('CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR CHECK (s <> $$c$$))')
    expect((await upsert()).status).toBe('failed')
    expect(existsSync(copiesPath())).toBe(false)
    await sound.sql('DROP TABLE t; CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR)')
    for (let round = 0; round < 5; round++) expect((await upsert()).error).toBeUndefined()
    expect(existsSync(copiesPath())).toBe(false)
    expect(await sound.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'b'],
      ['30000', 'c'],
    ])
  })
})
