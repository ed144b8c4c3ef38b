/** The rows behind a connector that is not saved yet: what somebody sees of a file before anything is made of it. */
import Type from 'typebox'
import { testConnector } from './connectors.ts'
import { operation, ref } from './operation.ts'
import { TaskPreview } from './task-preview.ts'
import { YamlContent } from './documents.ts'

export const previewConnector = operation({
  id: 'previewConnector',
  method: 'POST',
  path: '/api/connectors/preview',
  tag: 'Connectors',
  summary: 'Preview a task with a connector that is not saved; only reads',
  description: 'The connector is bound to the slot that the task’s source reads from.',
  security: 'caller',
  audited: false,
  body: Type.Object(
    {
      ...testConnector.body.properties,
      yaml_content: YamlContent,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Number of rows to sample' }),
      ),
    },
    {
      additionalProperties: false,
      description: 'With `connector_id`, omitted secrets are taken from the stored connector',
    },
  ),
  bodyLimit: 8 * 1_048_576,
  responses: { 200: ref(TaskPreview) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONNECTOR_ERROR', 'UNAVAILABLE', 'TIMEOUT', 'PAYLOAD_TOO_LARGE'],
})
