/** Settings of the server: what holds, where it comes from, and how to change it. */
import { ErrorParams } from './errors.ts'
import Type, { type Static } from 'typebox'
import { Nullable, NullableString, Success } from './common.ts'
import { operation, ref } from './operation.ts'

/** store: a secret, encrypted there rather than written to the file. */
export const settingSources = ['default', 'store', 'file', 'environment', 'argument'] as const

export const ServerSetting = Type.Object(
  {
    key: Type.String({ examples: ['auth.totp_required'] }),
    title: Type.String(),
    description: Type.String(),
    type: Type.Enum(['boolean', 'integer', 'string', 'enum', 'list', 'secret']),
    value: Type.Unknown({ description: 'Current value; for a secret `{set: true|false}`' }),
    next_value: Type.Unknown({ description: 'Value after a restart; the same unless restart_pending' }),
    default: Type.Unknown(),
    source: Type.Enum([...settingSources], {
      description: 'environment and argument override the file: such a setting cannot be changed here',
    }),
    env: Type.String({ examples: ['SVC_AUTH_TOTP_REQUIRED'] }),
    minimum: Type.Optional(Type.Integer()),
    maximum: Type.Optional(Type.Integer()),
    unit: Type.Optional(Type.String({ examples: ['hours'] })),
    options: Type.Optional(Type.Array(Type.String())),
    nullable: Type.Boolean({ description: 'null is a valid value' }),
    needs_restart: Type.Boolean({ description: 'A change takes effect after a restart' }),
    restart_pending: Type.Boolean(),
  },
  { $id: 'ServerSetting' },
)
export type ServerSetting = Static<typeof ServerSetting>

export const ServerConfig = Type.Object(
  {
    file: Type.String({ description: 'Path of config.yaml' }),
    settings: Type.Array(ref(ServerSetting)),
    restart_pending: Type.Boolean(),
    problem: Type.Unsafe<string | null>({
      ...NullableString,
      description:
        'What is wrong with the file: until it is fixed, the server does not start with it, and settings cannot be changed here',
    }),
    problem_params: ErrorParams,
  },
  { $id: 'ServerConfig' },
)
export type ServerConfig = Static<typeof ServerConfig>

export const getServerConfig = operation({
  id: 'getServerConfig',
  method: 'GET',
  path: '/api/server/config',
  tag: 'Server',
  summary: 'List all settings',
  security: 'caller',
  responses: { 200: ref(ServerConfig) },
  etag: true,
  errors: [],
})
export const updateServerConfig = operation({
  id: 'updateServerConfig',
  method: 'PUT',
  path: '/api/server/config',
  tag: 'Server',
  summary:
    'Change settings; they are written to config.yaml (comments are kept), and secrets are encrypted in the store',
  security: 'caller',
  body: Type.Object(
    {
      values: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'By key; omitted settings keep their value. `null` removes the setting from the file, so that its default applies.',
        examples: [{ 'auth.totp_required': true, 'retention.logs_days': null }],
      }),
    },
    { additionalProperties: false },
  ),
  responses: { 200: ref(ServerConfig) },
  etag: true,
  ifMatch: true,
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const restartServer = operation({
  id: 'restartServer',
  method: 'POST',
  path: '/api/server/restart',
  tag: 'Server',
  summary: 'Restart the server with the saved settings; runs continue on their executors',
  description:
    'Responds before it restarts. 400 INVALID_STATE if it would not start with the current config.yaml; 503 if nothing would start it again.',
  security: 'caller',
  responses: { 200: ref(Success) },
  errors: ['INVALID_STATE', 'UNAVAILABLE'],
})

export const SecretsState = Type.Object(
  {
    key_place: Type.Enum(['keychain', 'file'], { description: 'Where the key to all secrets is kept' }),
    key_id: Type.String(),
    sealed: Type.Integer({ description: 'Secrets in the store' }),
    lost: Type.Array(
      Type.Object({
        kind: Type.Enum(['connector', 'notification', 'totp', 'setting']),
        id: Nullable(Type.Integer()),
        name: Type.String({ description: 'Name of the record' }),
        secrets: Type.Array(Type.String({ description: 'Names of its secrets that must be entered again' })),
      }),
      { description: 'Secrets encrypted with a key that is not available' },
    ),
    remedy: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Where the missing key may be, and what to do; null if no secret is lost',
    }),
    remedy_params: ErrorParams,
  },
  { $id: 'SecretsState' },
)
export type SecretsState = Static<typeof SecretsState>
export const getSecretsState = operation({
  id: 'getSecretsState',
  method: 'GET',
  path: '/api/server/secrets',
  tag: 'Server',
  summary: 'Get where the key to the secrets is kept, and which secrets it cannot decrypt',
  security: 'caller',
  responses: { 200: ref(SecretsState) },
  errors: [],
})
export const rotateSecretsKey = operation({
  id: 'rotateSecretsKey',
  method: 'POST',
  path: '/api/server/rotate-key',
  tag: 'Server',
  summary: 'Create a new key and encrypt all secrets with it',
  security: 'caller',
  responses: { 200: ref(SecretsState) },
  errors: ['UNAVAILABLE'],
})
