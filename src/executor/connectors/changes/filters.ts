/** Conditions of the Explorer’s builder as SQL with bound values. */
import type { ExplorerFilter } from '../../../contract/explorer-presets.ts'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError } from '../../engine/errors.ts'
import type { ChangeSession } from '../changes.types.ts'
import type { Fill } from './placeholders.ts'
import { checkedWire, wireOfText } from './wire-check.ts'

/** Binds a value of a column and gives its place. */
type BindValue = (value: WireValue, field: QueryField) => string
type Column = (name: string) => QueryField

const compared: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
const filterOperators = [...compared, 'in', 'is null', 'is not null'] as const

interface Condition {
  column: Column
  bind: BindValue
  fill: Fill
}

export function conditionOf(filters: readonly ExplorerFilter[], session: ChangeSession, condition: Condition): string {
  return filters.map((filter) => one(filter, session, condition)).join(' AND ')
}

function one(
  { field: wanted, operator: written, value, valueType = 'auto' }: ExplorerFilter,
  session: ChangeSession,
  { column, bind, fill }: Condition,
): string {
  const field = column(wanted)
  const name = session.name(field.name)
  const operator = written.trim().toLowerCase()
  const bound = (text: string): string =>
    bind(checkedWire(wireOfText(fill(text), valueType, field), field, session.dialect === 'sqlite'), field)
  if (operator === 'is null' || operator === 'is not null') return `${name} ${operator.toUpperCase()}`
  if (operator === '=' && valueType === 'null') return `${name} IS NULL`
  if (operator === '!=' && valueType === 'null') return `${name} IS NOT NULL`
  if (operator === 'in') return `${name} IN (${itemsOf(value).map(bound).join(', ')})`
  if (compared.has(operator)) return `${name} ${operator === '!=' ? '<>' : operator} ${bound(value)}`
  throw unknownOperator(written)
}

/** A list of the builder: values between commas. What a placeholder stands for is one of them, whatever it holds. */
export const itemsOf = (value: string): string[] => value.split(',').map((item) => item.trim())

export function unknownOperator(operator: string): EngineError {
  return new EngineError('QUERY_INVALID', runMessage('change_operator_unknown', { operator }), {
    hint: runMessage('change_operator_unknown_fix', { operators: [...filterOperators] }),
  })
}
