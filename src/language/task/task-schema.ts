import type { JsonSchema } from '../shape/json-schema.ts'
import { kind } from './common-fields.ts'
import { kindDefinition, kindDefinitions } from './kinds/kind-registry.ts'
import type { TaskDocument } from './kinds/task-document.types.ts'

/** JSON Schema of the task language, made from the shapes that read it. Served at /api/schemas/task.json. */
export const taskSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://headgate.invalid/schemas/task.json',
  title: 'Task',
  description: 'A task. Its keys depend on its `kind`.',
  anyOf: kindDefinitions.map((definition) => definition.shape.schema),
}

/** The schema of a document of one kind, with every kind to choose from; a pipeline's while there is none. For editors. */
export function schemaOfKind(one: TaskDocument['kind'] | null): JsonSchema {
  const { schema } = kindDefinition(one ?? 'pipeline').shape
  return { ...schema, properties: { ...schema.properties, kind: kind.schema } }
}
