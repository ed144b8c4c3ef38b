import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { jsonValue } from '../engine/json-values.ts'
import { columnValues } from '../engine/vectors.ts'

/** Whether a column holds JSON text, which is parsed where it is used. */
export function isJson(type: DuckDBType): boolean {
  return type.alias === 'JSON'
}

/** A column's values as JSONata has them; JSON stays text. Nothing is cut short, nothing is rounded: what no number holds is text. */
export function mapColumn(chunk: DuckDBDataChunk, index: number): unknown[] {
  const { type } = chunk.getColumnVector(index)
  const values = columnValues(chunk, index)
  return isJson(type) ? values : values.map((value) => mapValue(value, type))
}

function mapValue(value: DuckDBValue, type: DuckDBType): unknown {
  if (value === null || typeof value === 'boolean') return value
  // Inside of lists and structs.
  if (typeof value === 'string') return isJson(type) ? JSON.parse(value) : value
  if (value instanceof DuckDBDecimalValue) return decimal(value)
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64')
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const items = type.typeId === DuckDBTypeId.LIST || type.typeId === DuckDBTypeId.ARRAY ? type.valueType : type
    return value.items.map((item) => mapValue(item, items))
  }
  if (value instanceof DuckDBStructValue) {
    const types = type.typeId === DuckDBTypeId.STRUCT ? type.entryTypes : []
    return Object.fromEntries(
      Object.entries(value.entries).map(([key, item], index) => [key, mapValue(item, types[index] ?? type)]),
    )
  }
  if (value instanceof DuckDBMapValue) {
    const { keyType, valueType } = type.typeId === DuckDBTypeId.MAP ? type : { keyType: type, valueType: type }
    return value.entries.map((entry) => ({
      key: mapValue(entry.key, keyType),
      value: mapValue(entry.value, valueType),
    }))
  }
  if (value instanceof DuckDBUnionValue) return mapValue(value.value, type)
  return jsonValue(value)
}

/** 15 digits are what a number holds in any case. */
function decimal(value: DuckDBDecimalValue): number | string {
  const digits = (value.value < 0n ? -value.value : value.value).toString().length
  return digits <= 15 ? value.toDouble() : value.toString()
}
