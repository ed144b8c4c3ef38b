import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'
export interface TableName {
  /** null: the connector's default schema. */
  schema: string | null
  name: string
}

/** `orders`, `sales.orders`, or with double quotes around a part that holds a dot: `"my.table"`. null for anything else. */
export function parseTableName(text: string): TableName | null {
  const part = String.raw`(?:"((?:[^"\u0000-\u001f]|"")+)"|([^\s".'\u0060;\u0000-\u001f](?:[^".'\u0060;\u0000-\u001f]*[^\s".'\u0060;\u0000-\u001f])?))`
  const match = new RegExp(`^${part}(?:\\.${part})?$`).exec(text)
  if (!match) return null
  const first = (match[1]?.replaceAll('""', '"') ?? match[2]) || ''
  const second = match[3]?.replaceAll('""', '"') ?? match[4]
  return second === undefined ? { schema: null, name: first } : { schema: first, name: second }
}

export function checkTableName(text: string): TextProblem | null {
  if (parseTableName(text)) return null
  return {
    code: 'invalid_value',
    message: msg('not_a_table_name', { name: text.slice(0, 60) }),
    hint: msg('write_table_name'),
  }
}
