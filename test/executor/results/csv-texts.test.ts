// CSV that is made of the server's own bytes is the same, byte for byte, as CSV that is made of values.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { streamPostgres } from '../../../src/executor/connectors/postgres/results.ts'
import { createResultWriter } from '../../../src/executor/engine/result-writer.ts'
import type { LinesFormat } from '../../../src/executor/engine/result-lines.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { temporaryFolder } from '../engine/run-task.ts'

describe.skipIf(postgresPrograms === null)('CSV of PostgreSQL', () => {
  const { connector, query } = usePostgres()

  async function exported(sql: string, format: LinesFormat, ofValues: boolean, port?: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    const writer = createResultWriter(format, async (_, bytes) => {
      pieces.push(Buffer.from(bytes))
      // Somebody reads it, not at once.
      await new Promise((resolve) => setImmediate(resolve))
    })
    const request = { connector: connector(9, port ? { port } : {}), query: sql, parameters: {}, timeoutMs: 60_000 }
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const { start, row } = writer
    await streamPostgres(request, ofValues ? { start, row } : writer, io)
    await writer.finish()
    return Buffer.concat(pieces)
  }

  /** How each form of CSV begins where both ways differ; none: they don't. */
  async function differences(sql: string): Promise<string[]> {
    const found: string[] = []
    for (const delimiter of [',', ';', '\t', '|'])
      for (const guard of [true, false]) {
        const format: LinesFormat = { kind: 'csv', delimiter, header: true, formula_guard: guard }
        const [texts, values] = [await exported(sql, format, false), await exported(sql, format, true)]
        const at = texts.findIndex((byte, index) => byte !== values[index])
        if (!texts.equals(values))
          found.push(
            `${delimiter} ${guard}: ${texts.toString('utf8', at, at + 80)} | ${values.toString('utf8', at, at + 80)}`,
          )
      }
    return found
  }

  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...',;|"\r\n\t =+-@\'\\aé語🎉\u00a0\ufeff\u2028'), weight: 2 },
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').replaceAll('\0', '').toWellFormed())
  const row = fc.record({
    s: fc.option(text),
    t: fc.option(fc.string({ unit: 'grapheme-ascii', maxLength: 100 })),
    b: fc.option(fc.boolean()),
    i: fc.option(fc.integer()),
    n: fc.option(fc.constantFrom('NaN', '-Infinity', '0.00', '-12345678901234567890.1234567890', '1e-20')),
    d: fc
      .option(fc.oneof(fc.double(), fc.constantFrom(1e21, 1e-7, -0)))
      .map((value) => (value === null ? null : Object.is(value, -0) ? '-0' : String(value))),
    at: fc.option(
      fc.constantFrom(
        'infinity',
        '-infinity',
        '0044-03-15 12:00:00 BC',
        '12024-02-29 12:34:56.1',
        '0001-01-01',
        '2024-02-29 12:34:56.123456',
        '1970-01-01 00:00:00.5',
      ),
    ),
    bytes: fc
      .option(fc.uint8Array({ maxLength: 40 }))
      .map((value) => (value === null ? null : `\\x${Buffer.from(value).toString('hex')}`)),
  })
  beforeEach(async () => {
    await query(
      `CREATE TABLE odd (id serial, s text, t text, b boolean, i int, n numeric, d float8, r real, at timestamp, zoned timestamptz, day date, late time, bytes bytea, u uuid, j json, jb jsonb, list int[], span interval)`,
    )
    const rows = fc.sample(row, { numRuns: 1500, seed: 98 }).map((given) => ({
      ...given,
      r:
        given.d === null ||
        Math.abs(Number(given.d)) > 1e38 ||
        (Number(given.d) !== 0 && Math.abs(Number(given.d)) < 1e-37)
          ? null
          : given.d,
      j: JSON.stringify(given.s),
    }))
    const json = JSON.stringify(rows).replaceAll("'", "''")
    await query(`INSERT INTO odd (s, t, b, i, n, d, r, at, zoned, day, late, bytes, u, j, jb, list, span)
      SELECT s, t, b, i, n, d, r, at, at::timestamptz, at::date, CASE WHEN isfinite(at) THEN at::time END, bytes, md5(coalesce(s, ''))::uuid, j, to_jsonb(s),
        CASE WHEN i > 0 THEN ARRAY[i, NULL] END, make_interval(secs => i) FROM json_to_recordset('${json}') AS o
        (s text, t text, b boolean, i int, n numeric, d float8, r real, at timestamp, bytes bytea, j json)`)
  })

  it('is the same of its bytes as of its values, of every type', async () => {
    expect(await differences('SELECT * FROM odd ORDER BY id')).toEqual([])
    expect(
      (await exported('SELECT * FROM odd', { kind: 'csv', delimiter: ',', header: true, formula_guard: true }, false))
        .length,
    ).toBeGreaterThan(100_000)
  })

  it('is the same of one column of NULL, empty, or nothing', async () => {
    expect(await differences('SELECT NULL::text AS a')).toEqual([])
    expect(await differences(`SELECT '' AS a UNION ALL SELECT NULL`)).toEqual([])
    expect(await differences('SELECT * FROM odd WHERE false')).toEqual([])
  })

  it('is the same of rows beyond batches, chunks, and pieces of the connection', async () => {
    expect(
      await differences(
        `SELECT i, repeat('é,', CASE WHEN i % 20000 = 7 THEN 900000 ELSE i % 50 END) AS v, '2024-02-29 12:34:56.5'::timestamptz + i * interval '1 s' AS at, i % 3 = 0 AS b FROM generate_series(1, 40000) i`,
      ),
    ).toEqual([])
  }, 120_000)

  it('is the same whatever the pieces in which the connection gives it', async () => {
    const format: LinesFormat = { kind: 'csv', delimiter: ',', header: true, formula_guard: true }
    const whole = await exported('SELECT * FROM odd ORDER BY id', format, false)
    for (const most of [3, 40, 3000]) {
      const proxy = await startPieces(Number(connector().config['port']), most)
      try {
        const inPieces = await exported('SELECT * FROM odd ORDER BY id', format, false, proxy.port)
        expect(inPieces.equals(whole)).toBe(true)
        expect(proxy.pieces()).toBeGreaterThan(whole.length / most / 2)
      } finally {
        proxy.stop()
      }
    }
  }, 120_000)
})

/** Passes on what the server sends in pieces of one to `most` bytes, each of which arrives alone. */
async function startPieces(target: number, most: number) {
  let pieces = 0
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target, '127.0.0.1')
    near.pipe(far)
    void (async () => {
      for await (const bytes of far as AsyncIterable<Buffer>) {
        for (let at = 0; at < bytes.length;) {
          const end = at + 1 + ((pieces * 7919) % most)
          await new Promise((written) => near.write(bytes.subarray(at, end), written))
          pieces += 1
          at = end
        }
      }
      near.end()
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // it listens
  return { port, pieces: () => pieces, stop: () => server.close() }
}
