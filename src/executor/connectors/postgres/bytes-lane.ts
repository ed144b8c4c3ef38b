import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { withPostgres } from './client.ts'
import { postgresError } from './errors.ts'
import { refuseReadOnly } from '../config.ts'
import { setBinds } from './binds.ts'
import { copyIn } from './copy-in.ts'
import type { FilledRows } from './copy.ts'
import { fillTable } from './write.ts'
import type { DirectCopy, RunDirect } from '../../lanes/direct.types.ts'
import { requireSameTypes } from './lane-types.ts'
import { readOf, requireKeys, selectOf, type DirectRead } from './pushdown-lane.ts'

/** COPY out of one server straight into the other, in PostgreSQL's binary form; the slower one sets the pace. */
export const copyBytes: RunDirect = (copy) => {
  refuseReadOnly(copy.to)
  return withPostgres(copy.from, copy.signal, async (source) => {
    const read = await readOf(source, copy)
    copy.opened()
    return withPostgres(copy.to, copy.signal, (client) =>
      fillTable(
        client,
        { ...copy, connector: copy.to, columns: read.columns },
        {
          suits: (plan, table) => requireSameTypes(plan, read.types, table, true),
          fill: (into, plan) => pipe(source, client, into, selectOf(read, plan), read, copy),
          staged: (stage, keys) => requireKeys(client, copy, stage, keys),
        },
      ),
    )
  })
}

async function pipe(
  source: pg.Client,
  client: pg.Client,
  into: string,
  sql: string,
  read: DirectRead,
  { from, signal }: DirectCopy,
): Promise<FilledRows> {
  await source.query('BEGIN READ ONLY')
  await setBinds(source, read.binds)
  const out = source.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT binary)`))
  const arrival = copyIn(client, `COPY ${into} FROM STDIN (FORMAT binary)`)
  let refusal: unknown = null
  arrival.once('error', (error) => (refusal = error))
  const broken = new Promise<never>((_, reject) => {
    // Which side failed decides on whose words are told; the other one is ended with the same error.
    out.once('error', (error) => {
      if (error === refusal) return
      const translated = postgresError(error, from)
      translated.stage = 0
      reject(translated)
    })
  })
  broken.catch(() => undefined) // heard by the race
  await Promise.race([pipeline(out, arrival, { signal }), broken])
  await source.query('ROLLBACK')
  // Each server counts by itself.
  return { rows: out.rowCount, taken: arrival.rowCount }
}
