import Type, { type Static } from 'typebox'
import { AnyObject, Id, IdParams, Timestamp, listQuery, paginated } from './common.ts'
import { keptMessage } from './errors.ts'
import { FormulaGuard } from './formula.ts'
import { operation, ref } from './operation.ts'

/** `line`: a line of a file, as `text`; `values`: those that entered the step that rejected the row. */
export const rejectForms = ['line', 'values'] as const
export type RejectForm = (typeof rejectForms)[number]

export const RunReject = Type.Object(
  {
    id: Id,
    step: Type.String(),
    reason: Type.String(),
    ...keptMessage,
    row: AnyObject,
    form: Type.Unsafe<RejectForm | null>({
      type: ['string', 'null'],
      enum: [...rejectForms, null],
      description:
        '`line`: `row` is a line of a file. `values`: `row` has the values that entered the step. null: `row` is cut or shown in another form, and can’t be rerun',
    }),
    rerun_by: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Newest run that reran this row; null: none',
    }),
    attempt: Type.Integer(),
    created_at: Timestamp,
  },
  { $id: 'RunReject' },
)
export type RunReject = Static<typeof RunReject>

export const RunRejectGroup = Type.Object(
  {
    first_id: Type.Integer({ minimum: 1, description: 'Its first row; `like` selects all of them' }),
    step: Type.String(),
    reason: Type.String({ description: 'As of its first row, with `…` where the rows of the group differ' }),
    ...keptMessage,
    count: Type.Integer({ minimum: 1, description: 'Kept rows in this group' }),
  },
  { $id: 'RunRejectGroup' },
)
export type RunRejectGroup = Static<typeof RunRejectGroup>

const rejectFilters = {
  step: Type.Optional(Type.String({ maxLength: 200 })),
  like: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of a rejected row of this run: only rows rejected for the same reason in the same step',
    }),
  ),
}

export const downloadRunRejects = operation({
  id: 'downloadRunRejects',
  method: 'GET',
  path: '/api/runs/{id}/rejects/download',
  tag: 'Runs',
  summary: 'Download the rejected rows as CSV or JSON Lines',
  description:
    'Attempt, step, and reason of each kept row, and its fields. In CSV every field that occurs is a column with the prefix `row.`; in JSON Lines (`format=ndjson`) the row is an object, next to the code and parameters of its reason.',
  security: 'caller',
  params: IdParams,
  query: Type.Object(
    {
      ...rejectFilters,
      format: Type.Optional(Type.Enum(['csv', 'ndjson'], { default: 'csv' })),
      formula_guard: Type.Optional(FormulaGuard),
    },
    { additionalProperties: false },
  ),
  responses: {},
  streams: { 200: ['text/csv', 'application/x-ndjson'] },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listRunRejects = operation({
  id: 'listRunRejects',
  method: 'GET',
  path: '/api/runs/{id}/rejects',
  tag: 'Runs',
  summary: 'List rejected rows with step and reason',
  description: 'Up to 10,000 rows are kept per run; reject_count of the run counts all.',
  security: 'caller',
  params: IdParams,
  query: listQuery({
    ...rejectFilters,
    start: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only rows that a rerun reads from this step on; `source`: lines of files',
      }),
    ),
    open: Type.Optional(Type.Boolean({ default: false, description: 'Only rows that no run has rerun' })),
  }),
  responses: { 200: paginated(ref(RunReject)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listRunRejectGroups = operation({
  id: 'listRunRejectGroups',
  method: 'GET',
  path: '/api/runs/{id}/rejects/groups',
  tag: 'Runs',
  summary: 'Group rejected rows by step and reason, largest group first',
  description:
    'Reasons that differ only in values of the rows are one group. Counts are of kept rows. At most 200 groups are listed.',
  security: 'caller',
  params: IdParams,
  responses: { 200: Type.Array(ref(RunRejectGroup)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
