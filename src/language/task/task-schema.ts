import type { JsonSchema } from '../shape/json-schema.ts'
import { pipelineShape } from './pipeline.ts'

/** JSON Schema of the task language, made from the shapes that read it. Served at /api/schemas/task.json. */
export const taskSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://headgate.invalid/schemas/task.json',
  title: 'Task',
  ...pipelineShape.schema,
}
