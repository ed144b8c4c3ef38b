/** Calls: interactive work (previews, connection tests, resources) between the control plane and an executor. */
import Type, { type Static } from 'typebox'
import { ChangesReport, PlannedChanges } from './changes.ts'
import { ColumnProfile } from './column-profile.ts'
import { AnyObject, NullableInteger, NullableString, NullableTimestamp } from './common.ts'
import { ConnectorTestResult, ResourceDetail, ResourceList } from './connectors.ts'
import { QueryPlan } from './explain.ts'
import { Accepted, BoundConnector, ExecutorHeaders } from './executor-protocol.ts'
import { MessageParams } from './errors.ts'
import { operation, ref } from './operation.ts'
import { QueryField } from './query-values.ts'
import { Diagnostic, TaskPreview } from './task-preview.ts'

const closed = { additionalProperties: false } as const

/** Files of a connector that match a pattern. */
const FileList = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Relative to the connector’s root' }),
        size: Type.Integer({ minimum: 0 }),
        version: Type.String({ description: 'Changes when the content changes' }),
        modified_at: NullableTimestamp,
      }),
    ),
    truncated: Type.Boolean({ description: 'There are more than those listed' }),
  },
  { $id: 'FileList' },
)
export type FileList = Static<typeof FileList>

/** What DuckDB cannot read of a task's SQL. */
const SqlCheck = Type.Object({ diagnostics: Type.Array(ref(Diagnostic)) }, { $id: 'SqlCheck' })

/** A short piece of interactive work that somebody waits for: never stored, never retried. */
export const CallPlan = Type.Object(
  {
    call_id: Type.String(),
    timeout_ms: Type.Integer(),
    work: Type.Union([
      Type.Object({
        kind: Type.Literal('preview'),
        yaml_content: Type.String(),
        arguments: AnyObject,
        connectors: Type.Record(Type.String(), ref(BoundConnector)),
        step: NullableInteger,
        limit: Type.Integer(),
      }),
      Type.Object({ kind: Type.Literal('check_sql'), yaml_content: Type.String() }),
      Type.Object({ kind: Type.Literal('test'), connector: ref(BoundConnector) }),
      Type.Object({ kind: Type.Literal('list_resources'), connector: ref(BoundConnector), q: NullableString }),
      Type.Object({ kind: Type.Literal('get_resource'), connector: ref(BoundConnector), name: Type.String() }),
      Type.Object({
        kind: Type.Literal('list_files'),
        connector: ref(BoundConnector),
        glob: Type.String(),
        limit: Type.Integer(),
      }),
      Type.Object({
        kind: Type.Literal('explain'),
        connector: ref(BoundConnector),
        query: Type.String(),
        parameters: AnyObject,
        analyze: Type.Boolean(),
        timeout_ms: Type.Integer(),
      }),
      Type.Object({
        kind: Type.Literal('profile'),
        connector: ref(BoundConnector),
        query: Type.String(),
        parameters: AnyObject,
        fields: Type.Array(ref(QueryField), { description: 'Of the query' }),
        field: Type.Integer({ minimum: 0, description: 'Number of the field that is profiled' }),
        timeout_ms: Type.Integer(),
      }),
      Type.Object({
        kind: Type.Literal('review_changes'),
        connector: ref(BoundConnector),
        changes: ref(PlannedChanges),
      }),
      Type.Object({
        kind: Type.Literal('write_changes'),
        connector: ref(BoundConnector),
        changes: ref(PlannedChanges),
        reviewed: Type.String({ description: 'Digest of the statements, values, and counts that were confirmed' }),
      }),
    ]),
  },
  { $id: 'CallPlan' },
)
export type CallPlan = Static<typeof CallPlan>

export const CallError = Type.Object(
  {
    code: Type.Enum(['VALIDATION_ERROR', 'NOT_FOUND', 'CONNECTOR_ERROR', 'UNAVAILABLE', 'TIMEOUT', 'INTERNAL_ERROR']),
    message: Type.String(),
    reason: Type.Optional(
      Type.Object(
        { code: Type.String(), params: MessageParams },
        { description: 'The text of the message and what it was made with. Absent: an executor of an earlier release' },
      ),
    ),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          message: Type.String(),
          code: Type.Optional(Type.String()),
          params: Type.Optional(MessageParams),
          name: Type.Optional(Type.String()),
          line: Type.Optional(Type.Integer()),
          column: Type.Optional(Type.Integer()),
        }),
      ),
    ),
  },
  { $id: 'CallError', ...closed },
)
export type CallError = Static<typeof CallError>

export const postCallResult = operation({
  id: 'postCallResult',
  method: 'POST',
  path: '/api/executor/calls/{callId}/result',
  tag: 'Executor Callbacks',
  summary: 'Report the result of a call',
  security: 'executor',
  params: Type.Object({ callId: Type.String({ maxLength: 100 }) }),
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      result: Type.Optional(
        Type.Union([
          Type.Object({ kind: Type.Literal('preview'), value: ref(TaskPreview) }),
          Type.Object({ kind: Type.Literal('check_sql'), value: ref(SqlCheck) }),
          Type.Object({ kind: Type.Literal('test'), value: ref(ConnectorTestResult) }),
          Type.Object({ kind: Type.Literal('list_resources'), value: ref(ResourceList) }),
          Type.Object({ kind: Type.Literal('get_resource'), value: ref(ResourceDetail) }),
          Type.Object({ kind: Type.Literal('list_files'), value: ref(FileList) }),
          Type.Object({ kind: Type.Literal('explain'), value: ref(QueryPlan) }),
          Type.Object({ kind: Type.Literal('profile'), value: ref(ColumnProfile) }),
          Type.Object({ kind: Type.Literal('review_changes'), value: ref(ChangesReport) }),
          Type.Object({ kind: Type.Literal('write_changes'), value: ref(ChangesReport) }),
        ]),
      ),
      error: Type.Optional(ref(CallError)),
    },
    closed,
  ),
  bodyLimit: 32 * 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
