import {
  DuckDBBlobValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import { findBinds } from '../../../language/sql-binds.ts'
import { openSession, type DuckSession } from '../../engine/duckdb.ts'
import { bindSql } from '../../engine/user-sql.ts'
import { mustHaveValues } from '../read-only.ts'
import type { StreamResult } from '../results.types.ts'
import { wireBytes, wireDouble, wireFloat, wireMoment } from '../wire-values.ts'
import { duckDbError, duckDbFile } from './file.ts'
import { qualifyQuery } from './query.ts'

/** A DuckDB that reaches the connector's file alone, attached read-only; the syntax tree says that the query is one SELECT over its tables. */
export const streamDuckDb: StreamResult = async ({ connector, query, parameters }, sink, { signal, tempDir }) => {
  mustHaveValues(
    findBinds(query).map((bind) => bind.name),
    parameters,
  )
  const file = await duckDbFile(connector, 'read')
  const session = await openSession({ tempDir, directories: [], attach: [file], moveFilters: true, signal })
  let catalog = ''
  try {
    catalog = await session.attach(file.path)
    const sql = (await qualifyQuery(session, await bindSql(session, query, parameters), catalog))
      .trim()
      .replace(/;\s*$/, '')
    const described = await session.describe(sql)
    const fields = described.map(({ name, type }): QueryField => ({ name, type: typeOf(type), native: type }))
    sink.start(fields, query)
    await readAll(session, sql, (row) => sink.row(row))
  } catch (error) {
    throw duckDbError(error, connector, catalog)
  } finally {
    // A result that was given up may keep rows: what was opened is not used again.
    await session.close(false)
  }
}

async function readAll(
  session: DuckSession,
  sql: string,
  take: (row: WireValue[]) => Promise<void> | null,
): Promise<void> {
  for await (const chunk of session.chunks(sql)) {
    const types = typesOf(chunk)
    for (let row = 0; row < chunk.rowCount; row++) {
      const wait = take(chunk.getRowValues(row).map((value, at) => wireValue(value, types[at])))
      if (wait) await wait
    }
  }
}

function typesOf(chunk: DuckDBDataChunk): DuckDBType[] {
  return Array.from({ length: chunk.columnCount }, (_, at) => chunk.getColumnVector(at).type)
}

function typeOf(type: string): ValueType {
  if (/^U?(TINYINT|SMALLINT)$|^INTEGER$/.test(type)) return 'integer'
  if (/^(BIGINT|UINTEGER|UBIGINT|HUGEINT|UHUGEINT|BIGNUM|VARINT)$/.test(type)) return 'bigint'
  if (type.startsWith('DECIMAL(') && type.endsWith(')')) return 'decimal'
  const plain: Record<string, ValueType> = {
    BOOLEAN: 'boolean',
    FLOAT: 'double',
    DOUBLE: 'double',
    BLOB: 'bytes',
    DATE: 'date',
    TIME: 'time',
    UUID: 'uuid',
    JSON: 'json',
    'TIMESTAMP WITH TIME ZONE': 'datetime_tz',
  }
  return plain[type] ?? (type.startsWith('TIMESTAMP') ? 'datetime' : 'text')
}

function wireValue(value: DuckDBValue, type: DuckDBType | undefined): WireValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (type?.typeId === DuckDBTypeId.FLOAT) return wireFloat(value)
    return type?.typeId === DuckDBTypeId.DOUBLE
      ? wireDouble(value)
      : type?.typeId === DuckDBTypeId.UINTEGER
        ? String(value)
        : value
  }
  if (value instanceof DuckDBBlobValue) return wireBytes(value.bytes)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return wireMoment(value.toString())
  return wireMoment(value.toString())
}
