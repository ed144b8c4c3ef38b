import Type, { type Static } from 'typebox'
import { Id, IdParams, Success, Timestamp } from './common.ts'
import { documentLanguage, documentOperations, documentSchemas } from './documents.ts'
import { operation, ref } from './operation.ts'

export const taskWording = { name: 'Task', path: '/api/tasks', tag: 'Tasks', noun: 'task' } as const
const schemas = documentSchemas({ name: 'Task', refs: 'slot → {types, access}', owner: { task_id: Id }, own: {} })
export type Task = Static<typeof schemas.record>
export type TaskDetail = Static<typeof schemas.detail>
export type TaskVersion = Static<typeof schemas.version>

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

export const taskOperations = documentOperations({ ...taskWording, schemas })
export const {
  list: listTasks,
  create: createTask,
  get: getTask,
  update: updateTask,
  tag: tagTask,
  archive: archiveTask,
  restore: restoreTask,
  listVersions: listTaskVersions,
  getVersion: getTaskVersion,
  restoreVersion: restoreTaskVersion,
} = taskOperations
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
export const getTaskSchema = documentLanguage(taskWording, 'task')
