import type { JsonSchema } from '../shape/json-schema.ts'
import { dashboardShape } from './dashboard-shape.ts'

/** JSON Schema of the dashboard template language, made from the shapes that read it. Served at /api/schemas/dashboard-template.json. */
export const dashboardSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://headgate.invalid/schemas/dashboard-template.json',
  title: 'Dashboard template',
  ...dashboardShape.schema,
}
