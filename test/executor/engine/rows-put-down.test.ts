import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { detachedContext } from '../../../src/executor/engine/detached-context.ts'
import { openSession, type DuckSession } from '../../../src/executor/engine/duckdb.ts'
import { createRecordWriter } from '../../../src/executor/sources/record-writer.ts'
import { createStageWriter } from '../../../src/executor/sources/stage-writer.ts'
import { createTypedWriter } from '../../../src/executor/sources/typed-writer.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

const rows = 500_000
const signal = new AbortController().signal
let session: DuckSession
let tempDir: string
beforeEach(async () => {
  tempDir = temporaryFolder()
  session = await openSession({ tempDir, directories: [], signal })
})
afterEach(() => session.close(false))

/** Takes the last row out of the one table there is, as if it had never arrived. */
async function loseRow(): Promise<void> {
  const [[table] = []] = await session.rows('SELECT table_name FROM duckdb_tables() WHERE temporary')
  expect(await session.run(`DELETE FROM "${String(table)}" WHERE rowid = 7`)).toBe(1)
}

const lost = { code: 'ROWS_UNACCOUNTED' }

describe('rows that were put down are counted again', () => {
  it('where their types are known', async () => {
    const writer = await createTypedWriter(session, [{ name: 'id', storage: 'INTEGER' }])
    for (let id = 0; id < rows; id++) writer.add([id])
    await loseRow()
    await expect(writer.finish()).rejects.toMatchObject(lost)
  })

  it('where their types follow from the values, also after a column has changed its type', async () => {
    const writer = createStageWriter(session, [{ name: 'id', type: null }])
    for (let id = 0; id < rows; id++) if (writer.add([id === rows - 1 ? 0.5 : BigInt(id)])) await writer.flush(signal)
    await loseRow()
    await expect(writer.finish()).rejects.toMatchObject(lost)
  })

  it('where they are records', async () => {
    const connector = fileConnector(tempDir)
    const context = detachedContext(session, () => connector, { signal, tempDir })
    const writer = createRecordWriter(context)
    for (let id = 0; id < rows; id++)
      await writer.add({ id, text: id % 3 === 0 ? null : `text\n${id}`, nested: [id, {}] })
    expect((await writer.finish()).rows).toBe(rows)

    const short = createRecordWriter(context)
    for (let id = 0; id < rows; id++) await short.add({ id: 1_000_000 + id })
    // The first rows of the file alone, as if the disk had kept no more.
    const file = join(tempDir, readdirSync(tempDir).findLast((name) => name.endsWith('.jsonl')) ?? '')
    truncateSync(
      file,
      statSync(file).size - (statSync(file).size % '{"id":"1000000"}\n'.length) - 3 * '{"id":"1000000"}\n'.length,
    )
    await expect(short.finish()).rejects.toMatchObject({ code: 'ROWS_UNACCOUNTED' })
  })
})
