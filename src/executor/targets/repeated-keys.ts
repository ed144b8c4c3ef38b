/**
 * SQL: whether no object in a document has a key twice. A document without anything nested has as many values as keys; of others the values
 * are counted with and without repeated keys, which DuckDB's VARIANT does not have. Of what is no JSON the server tells.
 */
export function repeatsNoKey(value: string): string {
  const document = `TRY_CAST(${value} AS JSON)`
  const values = (of: string): string => `len(json_extract(${of}, '$.**'))`
  const isFlat = `len(list_distinct(json_keys(${document}))) = ${values(document)}`
  const unchanged = `${values(document)} = ${values(`TRY_CAST(TRY_CAST(${document} AS VARIANT) AS JSON)`)}`
  return `coalesce(CASE WHEN ${isFlat} THEN true ELSE ${unchanged} END, true)`
}
