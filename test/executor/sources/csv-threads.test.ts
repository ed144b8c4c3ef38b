import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { webConnector } from '../engine/http-connector.ts'
import { folderWith, readFiles } from '../engine/read-files.ts'
import { fileConnector, runTask } from '../engine/run-task.ts'
import { json, startMisbehavingHttp } from '../../support/misbehaving-http.ts'

/** So long that a thread begins inside of values: there each line looks like a row, up to the quote that ends the value. */
const texts = Array.from({ length: 200 }, (_, at) => `${at} ${'x\ny'.repeat(20_000)}`)
const alone = `t\n${texts.map((text) => `"${text}"\n`).join('')}`
const tables = Array.from({ length: 200 }, (_, at) => `${at}\n${'1,2\n'.repeat(15_000)}`)
const nested = `id,t\n${tables.map((text, at) => `${at},"${text}"\n`).join('')}`
const again = 'Several threads could not tell the rows of a CSV file: one reads it again'

const digest = (values: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(values)).digest('hex')

describe('values of so many lines that threads begin to read inside of them', () => {
  it.each([
    ['', 'one column', alone, texts],
    ['', 'lines that look like rows', nested, tables],
    [', on_error: quarantine', 'one column', alone, texts],
    [', on_error: quarantine', 'lines that look like rows', nested, tables],
  ])('arrive as they are (%s %s)', async (files, _what, content, values) => {
    const { run, rows } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files })
    expect(run).toMatchObject({ status: 'success', item_count: 200, reject_count: 0, metrics: { rows_in: 200 } })
    expect(run.steps.map(({ rows_out: out, status }) => [out, status])).toEqual(run.steps.map(() => [200, 'success']))
    expect(digest(rows.map(({ t }) => t))).toBe(digest(values))
  })

  it('are read again by one thread, which the log says', async () => {
    const { run } = await readFiles(folderWith({ 'a.csv': alone }), 'a.csv')
    expect(run.log.map(({ message }) => message)).toContain(again)
    const { run: plain } = await readFiles(folderWith({ 'a.csv': 'id,t\n1,"a\nb"\n' }), 'a.csv')
    expect(plain.log.map(({ message }) => message)).not.toContain(again)
  })

  it('a fault that is there is named as before', async () => {
    const { message } = await readFiles(folderWith({ 'a.csv': `${nested}5,6,7\n` }), 'a.csv')
    expect(message).toMatch(/^a\.csv, line 3000402: the row has 3 fields, the header has 2: 5,6,7/)
    const { message: open } = await readFiles(folderWith({ 'a.csv': `${alone}"b\n` }), 'a.csv')
    expect(open).toMatch(/^a\.csv, line 4000202: a quote opens and is not closed before the end of the file/)
  })

  it('arrive in an input, too', async () => {
    const folder = folderWith({ 'a.csv': nested, 'ids.csv': 'id\n7\n' })
    const run = await runTask(
      `etl: 1
kind: pipeline
name: joined
connectors: {in: {type: file, access: read_write}}
source: {connector: in, files: {glob: ids.csv}}
inputs: {texts: {connector: in, files: {glob: a.csv}}}
steps: [{lookup: {input: texts, on: {id: id}, columns: {t: t}}}, {derive: {n: length(t)}}, {select: [id, n]}]
target: {connector: in, file: {path: out.csv}}
`,
      { in: fileConnector(folder) },
    )
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 1 })
  })

  it('are sent once to a system that keeps what it gets', async () => {
    const server = await startMisbehavingHttp()
    try {
      server.on('/rows', json({}, { status: 201 }))
      const run = await runTask(
        `etl: 1
kind: pipeline
name: sent
connectors: {in: {type: file, access: read}, api: {type: http, access: write}}
source: {connector: in, files: {glob: a.csv}}
steps: [{derive: {n: length(t)}}, {select: [n]}]
target: {connector: api, http: {path: /rows}}
`,
        { in: fileConnector(folderWith({ 'a.csv': alone })), api: webConnector(server.url) },
      )
      expect(run).toMatchObject({ status: 'success', item_count: 200 })
      expect(server.seen.map(({ body }) => body)).toEqual(texts.map((text) => `{"n":${text.length}}`))
      expect(run.log.map(({ message }) => message)).not.toContain(again)
    } finally {
      await server.stop()
    }
  })
})

describe('the last row, longer than the buffer of a reader', () => {
  const good = (rows: number): string => Array.from({ length: rows }, (_, at) => `${at},c\n`).join('')
  const value = (megabytes: number): string => 'y'.repeat(megabytes * 1_000_000)
  const quarantine = ', on_error: quarantine'
  const ends = [
    ['behind a few rows', `id,t\n${good(10)}7,${value(9)}\n`],
    ['behind many rows', `id,t\n${good(300_000)}7,${value(9)}\n`],
    ['without a line end', `id,t\n${good(300_000)}7,${value(9)}`],
    ['longer than any buffer', `id,t\n${good(300_000)}7,${value(40)}`],
    ['with lines in quotes behind it', `id,t\n${good(300_000)}${value(20)},"a\nb"`],
    ['with lines in quotes that look like rows', `id,t\n${good(300_000)}8,"p\n${'1,2\n'.repeat(2_000_000)}"`],
  ] as const
  it.each(ends)('fails the run (%s)', async (_what, content) => {
    for (const [name, bytes] of [
      ['a.csv', Buffer.from(content)],
      ['a.csv.gz', gzipSync(content, { level: 1 })],
    ] as const) {
      const { run, message } = await readFiles(folderWith({ [name]: bytes }), name)
      expect(run.status).toBe('failed')
      expect(message).toMatch(/^a\.csv(\.gz)?, line \d+: the row takes [\d,]+ bytes, and 4,194,304 are allowed/)
    }
  })

  it.each(ends)('is told where rows are collected (%s)', async (_what, content) => {
    const options = { files: quarantine, more: 'dead_letter: {max_ratio: 0.9}\n' }
    const { run } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', options)
    expect([
      ['failed', 0],
      ['completed', 1],
    ]).toContainEqual([run.status, run.reject_count])
  })

  it('arrives if it is no longer', async () => {
    for (const files of ['', quarantine]) {
      const { run, rows } = await readFiles(folderWith({ 'a.csv': ends[1][1].replace(value(9), value(4)) }), 'a.csv', {
        files,
      })
      expect(run).toMatchObject({ status: 'success', item_count: 300_001 })
      expect(rows.at(-1)).toEqual({ id: 7, t: value(4) })
    }
  })
})
