/** Values as OTLP has them in JSON (protobuf's JSON mapping): 64-bit integers are texts. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface KeyValue {
  key: string
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }
}

/** Without those that have no value. */
export function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]): KeyValue[] => {
    if (value === null || value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    return [{ key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}

export const unixNano = (iso: string): string => `${BigInt(Date.parse(iso)) * 1_000_000n}`
