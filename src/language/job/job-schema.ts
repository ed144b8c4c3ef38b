import type { JsonSchema } from '../shape/json-schema.ts'
import { jobShape } from './job-shape.ts'

/** JSON Schema of the job template language, made from the shapes that read it. Served at /api/schemas/job-template.json. */
export const jobSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://headgate.invalid/schemas/job-template.json',
  title: 'Job template',
  ...jobShape.schema,
}
