import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Column } from '../../../contract/common.ts'
import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import type { RowSink } from '../results.types.ts'
import { wireBytes, wireDouble, wireFloat, wireMoment, wireTagged } from '../wire-values.ts'

/** Runs a query of DuckDB, and gives its rows to the sink. `statement`: what the reader is told that was sent. */
export async function sendRows(session: DuckSession, sql: string, statement: string, sink: RowSink): Promise<void> {
  sink.start((await session.describe(sql)).map(fieldOf), statement)
  await sendMoreRows(session, sql, sink)
}

/** The rows of a query to a sink that knows its fields. `otherTypes`: of columns whose values have another type than their field. */
export async function sendMoreRows(
  session: DuckSession,
  sql: string,
  sink: RowSink,
  otherTypes: ReadonlyMap<number, ValueType> = new Map(),
): Promise<void> {
  for await (const chunk of session.chunks(sql)) {
    const types = typesOf(chunk)
    const wire = (value: DuckDBValue, at: number): WireValue => {
      const other = value === null ? undefined : otherTypes.get(at)
      return other === undefined ? wireValue(value, types[at]) : wireTagged(other, wireValue(value, types[at]))
    }
    for (let row = 0; row < chunk.rowCount; row++) {
      const wait = sink.row(chunk.getRowValues(row).map(wire))
      if (wait) await wait
    }
  }
}

export function fieldOf({ name, type }: Column): QueryField {
  return { name, type: typeOf(type), native: type }
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

export function wireValue(value: DuckDBValue, type: DuckDBType | undefined): WireValue {
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
  // The driver writes it as the last day that it knows.
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? 'infinity' : '-infinity'
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return wireMoment(value.toString())
  return wireMoment(value.toString())
}
