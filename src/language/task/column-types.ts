/** The types a column may be given, in `cast`, `columns` and inline sources. A cast means the same in every lane. */
export type ColumnType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'json'
  | 'binary'
  | DecimalType

/** `decimal(precision,scale)`, e.g. `decimal(18,2)`: precision 1 to 38, scale 0 to precision. */
export type DecimalType = `decimal(${number},${number})`
