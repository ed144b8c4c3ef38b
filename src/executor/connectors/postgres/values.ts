import type { Json } from '../../../language/task/task.types.ts'

/** A value as PostgreSQL's input functions read it; the server finds the type where it stands. */
export function bindText(value: Json): string | null {
  if (value === null) return null
  if (Array.isArray(value)) return `{${value.map(arrayItem).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function arrayItem(value: Json): string {
  if (value === null) return 'NULL'
  return JSON.stringify(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const numbers: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701])
const [boolean, json, jsonb] = [16, 114, 3802]

/** A value in the server's text form as JSON has it, as far as that holds it exactly; else the text. */
export function jsonOfText(value: string | null, type: number): Json {
  if (value === null) return null
  if (type === boolean) return value === 't'
  if (type === json || type === jsonb) return JSON.parse(value) as Json // the server checked it
  if (!numbers.has(type)) return value
  const number = Number(value)
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : value
}
