import pg from 'pg'
import { compileBinds } from '../../../language/sql-binds.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { openPostgres } from './client.ts'
import { postgresError } from './errors.ts'
import { bindText, jsonOfText } from './values.ts'
import type { OpenStatements, StatementResult } from '../statements.types.ts'

const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY'])

export const openPostgresStatements: OpenStatements = async (connector, { signal }) => {
  const { client, close } = await openPostgres(connector, signal)
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw cancelled()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw cancelled()
      throw postgresError(error, connector)
    }
  }
  return {
    begin: () => guarded(async () => void (await client.query('BEGIN'))),
    commit: () => guarded(async () => void (await client.query('COMMIT'))),
    rollback: async () => void (await client.query('ROLLBACK').catch(() => undefined)), // closing rolls back, too
    run(statement, params) {
      const { sql, names } = compileBinds(statement, 'postgres')
      return guarded(() =>
        runOne(
          client,
          sql,
          names.map((bind) => bindText(params[bind] ?? null)),
        ),
      )
    },
    close,
  }
}

/** Only the first row is kept, however many there are. */
function runOne(client: pg.Client, text: string, values: (string | null)[]): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    // The extended protocol takes one statement only. queryMode is not in the types.
    const query = new pg.Query<(string | null)[]>({ text, values, rowMode: 'array', queryMode: 'extended' } as never)
    let first: (string | null)[] | null = null
    query.on('row', (row) => (first ??= row))
    query.on('error', reject)
    query.on('end', ({ command, rowCount, fields }) => {
      const row = first
      resolve({
        // CREATE TABLE AS answers like a SELECT without columns.
        changed: changing.has(command) || (command === 'SELECT' && fields.length === 0) ? rowCount : null,
        first:
          row &&
          Object.fromEntries(fields.map((field, at) => [field.name, jsonOfText(row[at] ?? null, field.dataTypeID)])),
      })
    })
    client.query(query)
  })
}
