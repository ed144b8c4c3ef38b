import Type, { type Static } from 'typebox'
import { NullableString } from './common.ts'

export const driftOutcomes = ['added', 'left_out', 'widened', 'recreated', 'refused', 'not_written'] as const

/** A column in which the rows and the table that they go into differ. */
export const ColumnDrift = Type.Object(
  {
    column: Type.String(),
    there: { ...NullableString, description: 'Type in the table; null: the table lacks the column' },
    coming: { ...NullableString, description: 'Type that the rows need; null: the rows lack the column' },
    outcome: Type.Enum([...driftOutcomes], {
      description:
        'What the task’s `schema` does: added, left_out, widened, recreated (given another type), refused (the run fails), not_written (it keeps its default)',
    }),
  },
  { $id: 'ColumnDrift' },
)
export type ColumnDrift = Static<typeof ColumnDrift>

/** For the command line. */
export function driftWords({ column, there, coming, outcome }: ColumnDrift): string {
  const table = there === null ? 'not in the table' : `${there} in the table`
  const rows = coming === null ? 'not in the rows' : `${coming} in the rows`
  const words = outcome === 'refused' ? 'fails the run' : outcome.replace('_', ' ')
  return `Column \`${column}\`, ${table}, ${rows}: ${words}`
}
