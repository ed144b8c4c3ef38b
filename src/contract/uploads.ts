/** Files that a browser hands over: it does not tell where they lie, so they are kept in a folder of the workspace. */
import Type, { type Static } from 'typebox'
import { operation, ref } from './operation.ts'

/** Of one file, in MiB, whatever `uploads.max_mb` says. */
export const MOST_UPLOAD_MIB = 1024 * 1024
export const uploadType = 'application/octet-stream'

export const UploadedFile = Type.Object(
  {
    name: Type.String({ description: 'As it is called in the folder: made safe, with a number where the name was taken' }),
    path: Type.String({ description: 'On the machine of the server' }),
    bytes: Type.Integer({ minimum: 0 }),
    connector_id: Type.Integer({ description: 'The file connector of the folder; made with the first upload' }),
  },
  { $id: 'UploadedFile' },
)
export type UploadedFile = Static<typeof UploadedFile>

export const uploadFile = operation({
  id: 'uploadFile',
  method: 'POST',
  path: '/api/uploads',
  tag: 'Connectors',
  summary: 'Put a file into the workspace’s folder of uploads',
  description:
    'The body is the file’s content, written to disk as it comes; an upload that is broken off leaves nothing. A file of that name is never overwritten: the new one gets a number. `uploads.max_mb` limits a file, `uploads.folder` says where files are kept.',
  security: 'caller',
  query: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 1000, description: 'Name of the file', examples: ['orders.csv'] }) },
    { additionalProperties: false },
  ),
  body: Type.String({ description: 'The content of the file' }),
  bodyTypes: [uploadType],
  bodyLimit: MOST_UPLOAD_MIB * 1024 * 1024,
  responses: { 201: ref(UploadedFile) },
  errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'UNAVAILABLE'],
})
