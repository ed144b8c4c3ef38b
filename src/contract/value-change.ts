import Type, { type Static } from 'typebox'
import { madeBy } from './errors.ts'

/** Values of a column that arrive differently from how they came. */
export const ValueChange = Type.Object(
  {
    column: Type.String(),
    change: Type.String({ description: 'What happens to the values: `rounded to real`' }),
    ...madeBy,
    count: Type.Integer({ description: 'Values affected' }),
    example: Type.Optional(Type.String({ description: 'One of them, as read' })),
  },
  { $id: 'ValueChange' },
)
export type ValueChange = Static<typeof ValueChange>

/** For the log and the command line. */
export function changeWords({ column, change, count, example }: ValueChange): string {
  const values = `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`
  return `Column \`${column}\`, ${values}: ${change}${example === undefined ? '' : ` (such as ${example})`}`
}
