/** Files that a browser hands over: it does not tell where they lie, so they are kept in a folder of the workspace. */
import Type, { type Static } from 'typebox'
import { Id, NullableInteger, NullableString, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'

/** Of one file, in MiB, whatever `uploads.max_mb` says. */
export const MOST_UPLOAD_MIB = 1024 * 1024
export const uploadType = 'application/octet-stream'

export const UploadedFile = Type.Object(
  {
    name: Type.String({
      description: 'Name in the folder: made safe, with a number if the name was taken',
    }),
    path: Type.String({ description: 'Path on the server’s machine' }),
    bytes: Type.Integer({ minimum: 0 }),
    connector_id: Type.Integer({ description: 'The file connector for the folder; created with the first upload' }),
  },
  { $id: 'UploadedFile' },
)
export type UploadedFile = Static<typeof UploadedFile>

export const uploadFile = operation({
  id: 'uploadFile',
  method: 'POST',
  path: '/api/uploads',
  tag: 'Connectors',
  summary: 'Upload a file to the workspace’s upload folder',
  description:
    'The body is the file’s content, written to disk as it arrives. An interrupted upload leaves no file. An existing file is never overwritten: the new one gets a number. `uploads.max_mb` limits the size of a file, `uploads.folder` sets where files are stored. A user can upload 8 files at a time.',
  security: 'caller',
  query: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 1000, description: 'Name of the file', examples: ['orders.csv'] }) },
    { additionalProperties: false },
  ),
  body: Type.String({ description: 'The content of the file' }),
  bodyTypes: [uploadType],
  bodyLimit: MOST_UPLOAD_MIB * 1024 * 1024,
  responses: { 201: ref(UploadedFile) },
  errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'UNAVAILABLE'],
})

export const Upload = Type.Object(
  {
    name: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    uploaded_at: Timestamp,
    uploaded_by: Type.Unsafe<number | null>({
      ...NullableInteger,
      description: 'null: unknown, for example for a file that was copied into the folder',
    }),
    uploaded_by_name: NullableString,
    connector_id: Type.Unsafe<number | null>({
      ...NullableInteger,
      description: 'The file connector for the folder; null if there is none',
    }),
    used_by: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
      description: 'Tasks whose current version names the file in a source. Archived tasks and patterns don’t count.',
    }),
  },
  { $id: 'Upload' },
)
export type Upload = Static<typeof Upload>

export const listUploads = operation({
  id: 'listUploads',
  method: 'GET',
  path: '/api/uploads',
  tag: 'Connectors',
  summary: 'List the files in the workspace’s upload folder, newest first',
  security: 'caller',
  query: listQuery({}),
  responses: { 200: paginated(ref(Upload)) },
  errors: ['VALIDATION_ERROR', 'UNAVAILABLE'],
})

export const deleteUpload = operation({
  id: 'deleteUpload',
  method: 'DELETE',
  path: '/api/uploads/{name}',
  tag: 'Connectors',
  summary: 'Delete a file from the workspace’s upload folder',
  description:
    'Editors can delete their own uploads, admins can delete all (403 for others). 409 CONFLICT with the names of the tasks if a task’s source names the file; `force=true` deletes it anyway.',
  security: 'caller',
  params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
  query: Type.Object(
    { force: Type.Optional(Type.Boolean({ default: false, description: 'Delete the file even if tasks use it' })) },
    { additionalProperties: false },
  ),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})
