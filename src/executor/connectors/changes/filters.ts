/** Conditions of the Explorer’s builder as SQL with bound values. */
import type { ExplorerFilter } from '../../../contract/explorer-presets.ts'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError } from '../../engine/errors.ts'
import type { ChangeSession } from '../changes.types.ts'
import { itemsOf } from '../../../language/query/conditions.ts'
import { filterOperators, isTextOperator } from '../../../language/query/query.types.ts'
import { textSql } from '../../../language/query/sql-query.ts'
import type { Fill } from './placeholders.ts'
import { checkedWire, wireOfText } from './wire-check.ts'

/** Binds a value of a column and gives its place. */
type BindValue = (value: WireValue, field: QueryField) => string
type Column = (name: string) => QueryField

const compared: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])

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
  if (operator === 'in' || operator === 'not in') {
    const items = itemsOf(value)
    if (items.length === 0) throw emptyList(field.name)
    return `${name} ${operator.toUpperCase()} (${items.map(bound).join(', ')})`
  }
  if (isTextOperator(operator)) {
    const text = fill(value)
    const ofText: QueryField = {
      name: field.name,
      type: 'text',
      native: session.dialect === 'duckdb' ? 'VARCHAR' : 'text',
    }
    return textSql(operator, name, { bound: () => bind(text, ofText), isEmpty: text === '' }, session.dialect)
  }
  if (compared.has(operator)) return `${name} ${operator === '!=' ? '<>' : operator} ${bound(value)}`
  throw unknownOperator(written)
}

export const emptyList = (column: string): EngineError =>
  new EngineError('QUERY_INVALID', runMessage('change_list_empty', { column }), {
    hint: runMessage('change_list_empty_fix'),
  })

export function unknownOperator(operator: string): EngineError {
  return new EngineError('QUERY_INVALID', runMessage('change_operator_unknown', { operator }), {
    hint: runMessage('change_operator_unknown_fix', { operators: [...filterOperators] }),
  })
}
