/** Bundles: tasks, templates, AI references, and Explorer presets as newline-delimited JSON. */
import { MessageParams } from './errors.ts'
import Type, { type Static } from 'typebox'
import { AnyObject } from './common.ts'
import { operation, ref } from './operation.ts'

/** Of a whole bundle, in bytes. */
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024
/** Of one line of a bundle, in bytes. */
export const MAX_BUNDLE_LINE_BYTES = 1024 * 1024
export const BUNDLE_FORMAT = 1
export const bundleType = 'application/x-ndjson'

export const importModes = ['create_only', 'upsert_current', 'upsert_all_versions'] as const
export const conflictPolicies = ['skip', 'overwrite', 'error'] as const
export const archivedTaskPolicies = ['skip', 'restore', 'keep_archived'] as const
export const importActions = ['create', 'update', 'unchanged', 'skip', 'error'] as const

const picked = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 100_000,
      description: `Ids of ${what}, separated by commas; \`all\` or \`none\`. If no list is given, everything is exported. If some are given, the others are \`none\`.`,
      examples: ['1,2,3', 'all'],
    }),
  )

export const exportBundle = operation({
  id: 'exportBundle',
  method: 'GET',
  path: '/api/export',
  tag: 'Export/Import',
  summary: 'Export tasks, job templates, dashboard templates, AI references, and Explorer presets as a bundle',
  description: 'A consistent snapshot of the store, however long the export takes. Bundles contain no secrets.',
  security: 'caller',
  audited: true,
  query: Type.Object(
    {
      tasks: picked('tasks'),
      job_templates: picked('job templates'),
      dashboard_templates: picked('dashboard templates'),
      ai_references: picked('AI references'),
      explorer_presets: picked('Explorer presets'),
      versions: Type.Optional(Type.Enum(['current', 'all'], { default: 'current' })),
      archived: Type.Optional(
        Type.Boolean({ default: true, description: 'Include archived records if `all` are exported' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: {},
  streams: { 200: bundleType },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})

export const ImportResultLine = Type.Object(
  {
    kind: Type.Literal('result'),
    result: Type.Object({
      kind: Type.Enum(['task', 'job_template', 'dashboard_template', 'ai_reference', 'explorer_preset']),
      name: Type.String(),
      action: Type.Enum([...importActions]),
      from_version: Type.Optional(Type.Integer()),
      to_version: Type.Optional(Type.Integer()),
      message: Type.Optional(Type.String()),
      code: Type.Optional(Type.String()),
      params: Type.Optional(MessageParams),
      validation: Type.Optional(AnyObject),
    }),
  },
  { $id: 'ImportResultLine' },
)
export type ImportResultLine = Static<typeof ImportResultLine>
export const ImportSummaryLine = Type.Object(
  {
    kind: Type.Literal('summary'),
    created: Type.Integer(),
    updated: Type.Integer(),
    skipped: Type.Integer(),
    unchanged: Type.Integer(),
    errors: Type.Integer(),
  },
  { $id: 'ImportSummaryLine' },
)
export type ImportSummaryLine = Static<typeof ImportSummaryLine>

export const importBundle = operation({
  id: 'importBundle',
  method: 'POST',
  path: '/api/import',
  tag: 'Export/Import',
  summary: 'Import tasks, job templates, dashboard templates, AI references, and Explorer presets from a bundle',
  description:
    'The complete body is read and checked before anything is applied. Returns one ImportResultLine per record as it is processed, then an ImportSummaryLine. If the client disconnects, the records applied so far are kept.',
  security: 'caller',
  query: Type.Object(
    {
      mode: Type.Optional(Type.Enum([...importModes], { default: 'upsert_current' })),
      conflict_policy: Type.Optional(Type.Enum([...conflictPolicies], { default: 'overwrite' })),
      dry_run: Type.Optional(Type.Boolean({ default: false })),
      validate_only: Type.Optional(Type.Boolean({ default: false })),
      archived_task_policy: Type.Optional(Type.Enum([...archivedTaskPolicies], { default: 'skip' })),
      normalize_names: Type.Optional(Type.Boolean({ default: false })),
      action: Type.Optional(
        Type.Enum([...importActions], { description: 'Return only these result lines; the summary covers all' }),
      ),
    },
    { additionalProperties: false },
  ),
  body: Type.String({ description: 'The bundle' }),
  bodyTypes: [bundleType, 'text/plain'],
  bodyLimit: MAX_BUNDLE_BYTES,
  responses: {},
  streams: { 200: bundleType },
  lines: Type.Union([ref(ImportResultLine), ref(ImportSummaryLine)]),
  errors: ['VALIDATION_ERROR', 'IMPORT_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'UNAVAILABLE'],
})
