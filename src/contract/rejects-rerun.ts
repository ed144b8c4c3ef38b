import Type, { type Static } from 'typebox'
import { AnyObject, Column, Id, IdParams } from './common.ts'
import { keptMessage } from './errors.ts'
import { operation, ref } from './operation.ts'
import { Run, runStatuses } from './runs.ts'
import { rejectForms } from './run-rejects.ts'

const closed = { additionalProperties: false } as const
/** As many as are kept of a run. */
const mostRows = 10_000

const Reason = Type.Object({ reason: Type.String(), ...keptMessage }, { description: 'Why not; omitted if it can' })

export const RejectsStart = Type.Object(
  {
    step: Type.String({
      description: '`source`, or the key of the step that rejected the rows: the rerun starts there',
    }),
    form: Type.Enum([...rejectForms], { description: '`line`: edit `text`. `values`: edit values of columns' }),
    columns: Type.Array(ref(Column), { description: 'Of the values, or of the values in a line' }),
    csv: Type.Optional(
      Type.Object(
        {
          delimiter: Type.String(),
          quote: Type.String(),
          escape: Type.String(),
          null_values: Type.Array(Type.String()),
          quoted_nulls: Type.Boolean(),
        },
        { description: 'How lines of CSV files are written' },
      ),
    ),
    rows: Type.Integer({ minimum: 1, description: 'Kept rows that can be rerun from here' }),
    open: Type.Integer({ minimum: 0, description: 'Those of them that no run has rerun' }),
    refused: Type.Optional(Reason),
  },
  { $id: 'RejectsStart' },
)
export type RejectsStart = Static<typeof RejectsStart>

export const RejectsRerun = Type.Object(
  {
    starts: Type.Array(ref(RejectsStart)),
    unreadable: Type.Integer({
      minimum: 0,
      description: 'Kept rows that can’t be rerun: they are cut, or shown in another form than they were read in',
    }),
    refused: Type.Optional(Reason),
    reruns: Type.Array(
      Type.Object({
        run_id: Id,
        status: Type.Enum([...runStatuses]),
        rows: Type.Integer({ minimum: 0, description: 'Rejected rows that it reran' }),
        rejected: Type.Integer({ minimum: 0, description: 'Those of them that it rejected again, so far' }),
        counts: Type.Boolean({
          description: 'false: it failed or was canceled before it wrote anything, so its rows can be rerun',
        }),
      }),
      { description: 'Runs that reran rejected rows, newest first; at most 100' },
    ),
  },
  { $id: 'RejectsRerun' },
)
export type RejectsRerun = Static<typeof RejectsRerun>

const RerunRow = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of the rejected row' }),
    text: Type.Optional(Type.String({ maxLength: 100_000, description: 'The fixed line, for rows with `form: line`' })),
    values: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        ...AnyObject,
        description: 'Fixed values by column, for rows with `form: values`; other columns keep theirs',
      }),
    ),
  },
  closed,
)
export type RerunRow = Static<typeof RerunRow>

export const getRejectsRerun = operation({
  id: 'getRejectsRerun',
  method: 'GET',
  path: '/api/runs/{id}/rejects/rerun',
  tag: 'Runs',
  summary: 'Get how rejected rows of a run can be rerun, and which runs have done so',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(RejectsRerun) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const rerunRejects = operation({
  id: 'rerunRejects',
  method: 'POST',
  path: '/api/runs/{id}/rejects/rerun',
  tag: 'Runs',
  summary: 'Rerun rejected rows, fixed or as they are, in a new run',
  description:
    'The new run reads only these rows, with the version, arguments, and connectors of the run that rejected them. Lines start at the source, values at the step that rejected them; all rows must start at the same one. Saved state is neither read nor saved. A row that another run has rerun is a 409, unless that run failed or was canceled before it wrote anything.',
  security: 'caller',
  params: IdParams,
  body: Type.Object({ rows: Type.Array(RerunRow, { minItems: 1, maxItems: mostRows }) }, closed),
  bodyLimit: 16 * 1_048_576,
  idempotent: true,
  responses: { 201: ref(Run) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
