import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  LIST,
  VARCHAR,
  listValue,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Json } from '../../../language/task/task.types.ts'

/** Binds `$1`, `$2` … as the types that they have in every other database: whole numbers are BIGINT, lists keep what they hold. */
export function bindAll(prepared: DuckDBPreparedStatement, values: readonly Json[]): void {
  values.forEach((value, at) => bindOne(prepared, at + 1, value))
}

function bindOne(prepared: DuckDBPreparedStatement, at: number, value: Json): void {
  if (value === null) prepared.bindNull(at)
  else if (typeof value === 'boolean') prepared.bindBoolean(at, value)
  else if (typeof value === 'number') bindNumber(prepared, at, value)
  else if (typeof value === 'string') prepared.bindVarchar(at, value)
  else if (Array.isArray(value)) bindList(prepared, at, value)
  else prepared.bindVarchar(at, JSON.stringify(value))
}

function bindNumber(prepared: DuckDBPreparedStatement, at: number, value: number): void {
  if (Number.isSafeInteger(value)) prepared.bindBigInt(at, BigInt(value))
  else prepared.bindDouble(at, value)
}

/** Items of one kind keep it; else they are text, or JSON. */
function bindList(prepared: DuckDBPreparedStatement, at: number, values: Json[]): void {
  const as = (type: DuckDBType, item: (value: Json) => DuckDBValue): void =>
    prepared.bindList(at, listValue(values.map((value) => (value === null ? null : item(value)))), LIST(type))
  const all = (kind: (value: Json) => boolean): boolean => values.every((value) => value === null || kind(value))
  if (values.length > 0 && all((value) => Number.isSafeInteger(value))) as(BIGINT, (value) => BigInt(value as number)) // by the test before
  else if (values.length > 0 && all((value) => typeof value === 'number')) as(DOUBLE, Number)
  else if (values.length > 0 && all((value) => typeof value === 'boolean')) as(BOOLEAN, Boolean)
  else as(VARCHAR, (value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}
