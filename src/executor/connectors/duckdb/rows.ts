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
import type { DuckSession } from '../../engine/duckdb.ts'
import type { RowSink } from '../results.types.ts'
import { wireBytes, wireDouble, wireFloat, wireMoment } from '../wire-values.ts'

/** Runs a query of DuckDB, and gives its rows to the sink. `statement`: what the reader is told that was sent. */
export async function sendRows(session: DuckSession, sql: string, statement: string, sink: RowSink): Promise<void> {
  const described = await session.describe(sql)
  sink.start(
    described.map(({ name, type }): QueryField => ({ name, type: typeOf(type), native: type })),
    statement,
  )
  for await (const chunk of session.chunks(sql)) {
    const types = typesOf(chunk)
    for (let row = 0; row < chunk.rowCount; row++) {
      const wait = sink.row(chunk.getRowValues(row).map((value, at) => wireValue(value, types[at])))
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
