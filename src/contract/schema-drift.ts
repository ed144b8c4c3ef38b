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
