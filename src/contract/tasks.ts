import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Flag,
  Id,
  IdParams,
  JsonString,
  Name,
  NamePrefix,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  SortOrder,
  Success,
  Timestamp,
  YamlSearch,
  listQuery,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'

/** Text of a task: refused above 1 MiB before it is parsed. */
export const YamlContent = Type.String({ minLength: 1, maxLength: 1_048_576, description: 'The task as YAML' })
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 50, uniqueItems: true })

const taskFields = {
  id: Id,
  name: Name,
  description: NullableString,
  current_version: Type.Integer({ minimum: 1 }),
  connector_refs: JsonString('slot → {types, access}'),
  tags: Tags,
  archived: Flag,
  created_by: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'User' }),
  created_at: Timestamp,
  updated_at: NullableTimestamp,
}

export const Task = Type.Object(taskFields, { $id: 'Task' })
export type Task = Static<typeof Task>
export const TaskDetail = Type.Object({ ...taskFields, yaml_content: Type.String() }, { $id: 'TaskDetail' })
export type TaskDetail = Static<typeof TaskDetail>

export const TaskVersion = Type.Object(
  {
    id: Id,
    task_id: Id,
    version: Type.Integer({ minimum: 1 }),
    yaml_content: Type.String(),
    connector_refs: JsonString('slot → {types, access}'),
    change_summary: NullableString,
    created_by: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    created_by_name: NullableString,
    created_at: Timestamp,
  },
  { $id: 'TaskVersion' },
)
export type TaskVersion = Static<typeof TaskVersion>

const taskBody = Type.Object(
  {
    yaml_content: YamlContent,
    change_summary: Type.Optional(Type.String({ maxLength: 500 })),
    tags: Type.Optional(Tags),
  },
  { additionalProperties: false },
)

export const ConnectorMapping = Type.Record(Type.String(), Id, {
  description: 'Connector slot name → connector id',
  examples: [{ input: 1, db: 2 }],
})

/** What the source of a task has got to, for one connector. */
export const TaskState = Type.Object(
  {
    id: Id,
    task_id: Id,
    job_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Job whose runs saved it; null: standalone runs of the task',
    }),
    task_key: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Key of the task in the job, with the item of a `for_each`: `export[eu]`',
    }),
    connector_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Connector bound to the source’s slot',
    }),
    slot: Type.String({ description: 'The source’s connector slot; empty if it has none' }),
    cursor: Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] }),
    files_taken: Type.Integer({ description: 'Number of files that `new_only` has processed' }),
    run_id: Id,
    updated_at: Timestamp,
    unresolved: Type.Array(
      Type.Object({
        run_id: Id,
        cursor: Type.Unsafe<string | number | null>({
          type: ['string', 'number', 'null'],
          description: 'Where the next run starts if the rows were written',
        }),
      }),
      { description: 'Runs with an unknown outcome: the task doesn’t run with this state until each is resolved' },
    ),
  },
  { $id: 'TaskState' },
)
export type TaskState = Static<typeof TaskState>

export const listTasks = operation({
  id: 'listTasks',
  method: 'GET',
  path: '/api/tasks',
  tag: 'Tasks',
  summary: 'List tasks',
  security: 'caller',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    yaml: Type.Optional(YamlSearch),
    starts_with: Type.Optional(NamePrefix),
    tag: Type.Optional(Type.String({ maxLength: 60 })),
    archived: Type.Optional(Type.Boolean({ default: false })),
    sort: Type.Optional(Type.Enum(['created_at', 'name', 'updated_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(Task)) },
  errors: ['VALIDATION_ERROR'],
})
export const createTask = operation({
  id: 'createTask',
  method: 'POST',
  path: '/api/tasks',
  tag: 'Tasks',
  summary: 'Create a task; name and description come from the YAML',
  security: 'caller',
  body: taskBody,
  bodyLimit: 8 * 1_048_576,
  idempotent: true,
  etag: true,
  responses: { 201: ref(TaskDetail) },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export const getTask = operation({
  id: 'getTask',
  method: 'GET',
  path: '/api/tasks/{id}',
  tag: 'Tasks',
  summary: 'Get a task with the YAML of its current version',
  security: 'caller',
  params: IdParams,
  etag: true,
  responses: { 200: ref(TaskDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateTask = operation({
  id: 'updateTask',
  method: 'PUT',
  path: '/api/tasks/{id}',
  tag: 'Tasks',
  summary: 'Save a task; a change creates a new version',
  security: 'caller',
  params: IdParams,
  body: taskBody,
  bodyLimit: 8 * 1_048_576,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(TaskDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export const archiveTask = operation({
  id: 'archiveTask',
  method: 'PATCH',
  path: '/api/tasks/{id}/archive',
  tag: 'Tasks',
  summary: 'Archive a task',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreTask = operation({
  id: 'restoreTask',
  method: 'PATCH',
  path: '/api/tasks/{id}/restore',
  tag: 'Tasks',
  summary: 'Restore an archived task',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listTaskVersions = operation({
  id: 'listTaskVersions',
  method: 'GET',
  path: '/api/tasks/{id}/versions',
  tag: 'Tasks',
  summary: 'List the versions of a task, newest first',
  security: 'caller',
  params: IdParams,
  query: listQuery({}),
  responses: { 200: paginated(ref(TaskVersion)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
const versionParams = Type.Object({ id: Id, vid: Type.Integer({ minimum: 1, description: 'Version number' }) })
export const getTaskVersion = operation({
  id: 'getTaskVersion',
  method: 'GET',
  path: '/api/tasks/{id}/versions/{vid}',
  tag: 'Tasks',
  summary: 'Get a version of a task',
  security: 'caller',
  params: versionParams,
  responses: { 200: ref(TaskVersion) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreTaskVersion = operation({
  id: 'restoreTaskVersion',
  method: 'POST',
  path: '/api/tasks/{id}/versions/{vid}/restore',
  tag: 'Tasks',
  summary: 'Restore an earlier version as a new version',
  security: 'caller',
  params: versionParams,
  etag: true,
  responses: { 200: ref(TaskDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const listTaskStates = operation({
  id: 'listTaskStates',
  method: 'GET',
  path: '/api/tasks/{id}/states',
  tag: 'Tasks',
  summary: 'Get the saved state of incremental runs',
  description: 'One entry per source connector: the cursor of `state.cursor`, the files that `new_only` has processed.',
  security: 'caller',
  params: IdParams,
  responses: { 200: Type.Array(ref(TaskState)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const deleteTaskState = operation({
  id: 'deleteTaskState',
  method: 'DELETE',
  path: '/api/tasks/{id}/states/{stateId}',
  tag: 'Tasks',
  summary: 'Delete the saved state of incremental runs: the next one reads from the start',
  security: 'caller',
  params: Type.Object({ id: Id, stateId: Id }),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const resolveTaskState = operation({
  id: 'resolveTaskState',
  method: 'POST',
  path: '/api/tasks/{id}/states/{stateId}/resolve',
  tag: 'Tasks',
  summary: 'Record whether a run with an unknown outcome has written its rows',
  description:
    'Check the target first. `committed: true` saves the state of that run, so the next run continues after its rows; `false` keeps the state, so they are read again.',
  security: 'caller',
  params: Type.Object({ id: Id, stateId: Id }),
  body: Type.Object({ run_id: Id, committed: Type.Boolean() }, { additionalProperties: false }),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getTaskSchema = operation({
  id: 'getTaskSchema',
  method: 'GET',
  path: '/api/schemas/task.json',
  tag: 'Schemas',
  summary: 'Get the JSON Schema of the task language, for editors',
  security: 'caller',
  responses: { 200: AnyObject },
  errors: [],
})
