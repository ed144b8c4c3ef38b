import Type, { type Static } from 'typebox'
import { Id, Nullable, NullableCount, Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'
import { runStatuses } from './runs.ts'

const RunId = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'null once retention has removed the run',
})

export const LineageDataset = Type.Object(
  {
    id: Type.String({ description: 'Namespace and name, with a blank between them' }),
    kind: Type.Enum(['table', 'file', 'collection', 'entity_set', 'path', 'query'], {
      description: '`query`: SQL whose tables its text doesn’t name',
    }),
    namespace: Type.String({
      description: 'Where it is, by the naming of OpenLineage. `unbound:…` is a slot that no connector is bound to.',
      examples: ['postgres://db.example:5432'],
    }),
    name: Type.String({ description: 'Its name there', examples: ['shop.public.orders'] }),
    label: Type.String({ description: 'Its name as tasks write it', examples: ['orders'] }),
    pattern: Type.Boolean({
      description: 'Covers any number of datasets: `*` means what only a run knows, or a pattern of files',
    }),
    connectors: Type.Array(Type.Object({ id: Id, name: Type.String(), type: Type.String() }), {
      description: 'That tasks use to reach it',
    }),
    last_written: Nullable(
      Type.Object({
        at: Timestamp,
        run_id: RunId,
        task_id: Id,
        task_name: Type.String(),
        rows: { ...NullableCount, description: 'By that run; for a for_each, by all items of its job run' },
      }),
    ),
    freshness: Type.Optional(
      Nullable(
        Type.Object(
          { metric: Type.String(), state: Type.Enum(['ok', 'violated']), deadline_at: Timestamp },
          { description: 'Of the freshness metric with the earliest deadline; null: there is none' },
        ),
      ),
    ),
  },
  { $id: 'LineageDataset' },
)
export type LineageDataset = Static<typeof LineageDataset>

export const LineageColumn = Type.Object(
  {
    name: Type.String({ description: 'Of the target' }),
    origins: Type.Array(
      Type.Object({
        part: Type.String({ description: '`source`, or `inputs.` and the name of an input' }),
        datasets: Type.Array(Type.String(), {
          description: 'Ids; several where a query reads several tables, none for rows in the task itself',
        }),
        column: Type.String(),
        unchanged: Type.Boolean({ description: 'false: computed from it' }),
      }),
    ),
  },
  { $id: 'LineageColumn' },
)
export type LineageColumn = Static<typeof LineageColumn>

export const LineageTask = Type.Object(
  {
    id: Type.String({ description: 'One node for each set of datasets that the task is bound to' }),
    task_id: Id,
    name: Type.String(),
    jobs: Type.Array(Type.Object({ job_id: Id, name: Type.String(), task_key: Type.String() }), {
      description: 'Jobs that run the task with these datasets; empty for a task that runs on its own',
    }),
    last_run: Nullable(
      Type.Object(
        { run_id: RunId, status: Type.Enum([...runStatuses]), at: Timestamp },
        { description: 'Newest that ended' },
      ),
    ),
    columns: Type.Optional(
      Nullable(
        Type.Object(
          {
            known: Type.Array(ref(LineageColumn)),
            others: Type.Boolean({ description: 'Further columns of the source arrive under their own names' }),
          },
          { description: 'Only with `columns=true`; null: not known from the text of the task' },
        ),
      ),
    ),
  },
  { $id: 'LineageTask' },
)
export type LineageTask = Static<typeof LineageTask>

export const LineageEdge = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    kind: Type.Enum(['read', 'write', 'match'], {
      description: '`match`: between a pattern and a dataset whose name it covers',
    }),
  },
  { $id: 'LineageEdge' },
)
export type LineageEdge = Static<typeof LineageEdge>

export const Lineage = Type.Object(
  {
    datasets: Type.Array(ref(LineageDataset)),
    tasks: Type.Array(ref(LineageTask)),
    edges: Type.Array(ref(LineageEdge), {
      description: 'In the direction of the data, by the ids of datasets and tasks',
    }),
    truncated: Type.Boolean({ description: 'Some `match` edges are missing because there are too many patterns' }),
  },
  { $id: 'Lineage' },
)
export type Lineage = Static<typeof Lineage>

export const getLineage = operation({
  id: 'getLineage',
  method: 'GET',
  path: '/api/lineage',
  tag: 'Lineage',
  summary: 'Get datasets, and the tasks that read and write them',
  description:
    'Follows from the current text of each task and the connectors that jobs, or earlier runs, bind to its slots. Without a starting point the response contains everything. Several starting points are united.',
  security: 'caller',
  query: Type.Object(
    {
      dataset: Type.Optional(
        Type.String({ minLength: 1, maxLength: 8192, description: 'Id of a dataset to start from' }),
      ),
      task_id: Type.Optional(Id),
      job_id: Type.Optional(Id),
      connector_id: Type.Optional(Id),
      direction: Type.Optional(
        Type.Enum(['upstream', 'downstream', 'both'], {
          default: 'both',
          description: 'From the starting points: where the data comes from, where it goes, or both',
        }),
      ),
      depth: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100, default: 100, description: 'Number of edges to follow' }),
      ),
      columns: Type.Optional(Type.Boolean({ default: false, description: 'Add the columns of each task' })),
    },
    { additionalProperties: false },
  ),
  responses: { 200: ref(Lineage) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
