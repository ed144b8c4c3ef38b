/** What is asked of a task's text before it is saved: is it valid, and what would its steps give. */
import Type, { type Static } from 'typebox'
import { AnyObject, Column, Row } from './common.ts'
import { MessageParams, madeBy } from './errors.ts'
import { ValueChange } from './value-change.ts'
import { operation, ref } from './operation.ts'
import { ColumnDrift } from './schema-drift.ts'
import { YamlContent, documentValidation } from './documents.ts'
import { ConnectorMapping, taskWording } from './tasks.ts'

/** A finding in user-authored text; same shape as the language's own Diagnostic. Lines and columns are 1-based, end exclusive. */
export const Diagnostic = Type.Object(
  {
    severity: Type.Enum(['error', 'warning', 'info']),
    code: Type.String({ description: 'What kind of finding it is. Lower case and stable' }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'What the message was made with. `reason` is the code of its text, `fix` the hint as `{code, params, message}`',
    }),
    message: Type.String(),
    hint: Type.Optional(Type.String({ description: 'What to do' })),
    path: Type.String(),
    line: Type.Integer(),
    column: Type.Integer(),
    end_line: Type.Integer(),
    end_column: Type.Integer(),
  },
  { $id: 'Diagnostic' },
)

export const TaskValidation = Type.Object(
  {
    valid: Type.Boolean(),
    diagnostics: Type.Array(ref(Diagnostic)),
    sql_checked: Type.Boolean({
      description:
        'DuckDB’s parser has read the SQL of steps; false: no executor was online, or the task has other errors',
    }),
    connector_refs: AnyObject,
    arguments: AnyObject,
  },
  { $id: 'TaskValidation' },
)

/** What one stage of a previewed task gave: stage 0 is the source, stage n the n-th step. */
const PreviewError = Type.Object({
  code: Type.String(),
  params: Type.Optional(MessageParams),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
})

export const PreviewStage = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    key: Type.String({ description: '`source`, or the key of the step' }),
    label: Type.String(),
    ...madeBy,
    columns: Type.Array(ref(Column)),
    rows: Type.Array(Row),
    row_count: Type.Integer({ description: 'Rows of the sample after this stage' }),
    truncated: Type.Boolean({ description: 'There are more rows than shown' }),
    rejected: Type.Integer(),
    rejects: Type.Array(
      Type.Object({
        reason: Type.String(),
        ...madeBy,
        row: AnyObject,
      }),
    ),
    notes: Type.Optional(
      Type.Array(Type.Object({ message: Type.String(), ...madeBy }), {
        description: 'Warnings that a run would log; omitted if there are none',
      }),
    ),
    duration_ms: Type.Number(),
    changes: Type.Optional(
      Type.Array(ref(ValueChange), { description: 'Values of the sample that this stage changes' }),
    ),
    error: Type.Optional(PreviewError),
  },
  { $id: 'PreviewStage' },
)
/** Of a target that is a table and whose connector is bound, once the last step was previewed. */
export const PreviewTarget = Type.Object(
  {
    table: Type.String(),
    exists: Type.Boolean({ description: 'false: the first run creates it' }),
    drift: Type.Array(ref(ColumnDrift), {
      description: 'Columns in which the rows and the table differ; empty if there are none',
    }),
    error: Type.Optional(PreviewError),
  },
  { $id: 'PreviewTarget' },
)
export const TaskPreview = Type.Object(
  {
    stages: Type.Array(ref(PreviewStage)),
    sampled_rows: Type.Integer(),
    target_changes: Type.Optional(
      Type.Array(ref(ValueChange), { description: 'Values of the sample that would arrive differently at the target' }),
    ),
    duration_ms: Type.Number(),
    target: Type.Optional(ref(PreviewTarget)),
  },
  { $id: 'TaskPreview' },
)
export type TaskPreview = Static<typeof TaskPreview>

export const validateTask = documentValidation(taskWording, 'Check YAML without saving it', TaskValidation)
export const previewTask = operation({
  id: 'previewTask',
  method: 'POST',
  path: '/api/tasks/preview',
  tag: 'Tasks',
  summary: 'Run a sample through each step on an executor; only reads',
  security: 'caller',
  audited: false,
  body: Type.Object(
    {
      yaml_content: YamlContent,
      connector_mapping: Type.Optional(ConnectorMapping),
      arguments: Type.Optional(AnyObject),
      step: Type.Optional(Type.Integer({ minimum: 0, description: 'Stop after this stage; 0 is the source' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Number of rows to sample' }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyLimit: 8 * 1_048_576,
  responses: { 200: ref(TaskPreview) },
  errors: ['VALIDATION_ERROR', 'CONNECTOR_ERROR', 'UNAVAILABLE', 'TIMEOUT', 'PAYLOAD_TOO_LARGE'],
})
