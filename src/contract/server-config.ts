/** Settings of the server: what holds, where it comes from, and how to change it. */
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
    value: Type.Unknown({ description: 'What holds now; of a secret `{set: true|false}`' }),
    next_value: Type.Unknown({ description: 'What will hold after the next start; the same unless restart_pending' }),
    default: Type.Unknown(),
    source: Type.Enum([...settingSources], {
      description: 'environment and argument win over the file: such a setting cannot be changed here',
    }),
    env: Type.String({ examples: ['SVC_AUTH_TOTP_REQUIRED'] }),
    minimum: Type.Optional(Type.Integer()),
    maximum: Type.Optional(Type.Integer()),
    unit: Type.Optional(Type.String({ examples: ['hours'] })),
    options: Type.Optional(Type.Array(Type.String())),
    nullable: Type.Boolean({ description: 'null is a value, too' }),
    needs_restart: Type.Boolean({ description: 'A change holds after the next start only' }),
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
        'What is wrong with the file: as it is, the server does not start with it, and nothing can be changed here',
    }),
  },
  { $id: 'ServerConfig' },
)
export type ServerConfig = Static<typeof ServerConfig>

export const getServerConfig = operation({
  id: 'getServerConfig',
  method: 'GET',
  path: '/api/server/config',
  tag: 'Server',
  summary: 'Every setting',
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
  summary: 'Change settings; they are written to config.yaml, whose comments stay, secrets encrypted to the store',
  security: 'caller',
  body: Type.Object(
    {
      values: Type.Record(Type.String(), Type.Unknown(), {
        description: 'By key; what is left out stays. `null` takes the setting out of the file: its default holds.',
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
  summary: 'Start the server anew with the settings as they are written; runs go on at their executors',
  description:
    'Answers first. 400 INVALID_STATE when it would not start with config.yaml as it is; 503 where nobody would start it again.',
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
        name: Type.String({ description: 'Of the record' }),
        secrets: Type.Array(Type.String({ description: 'Names of its secrets that are to be given again' })),
      }),
      { description: 'Secrets that were encrypted with a key that is not here' },
    ),
    remedy: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Where the key to what is lost may be, and what to do; null when nothing is lost',
    }),
  },
  { $id: 'SecretsState' },
)
export type SecretsState = Static<typeof SecretsState>
export const getSecretsState = operation({
  id: 'getSecretsState',
  method: 'GET',
  path: '/api/server/secrets',
  tag: 'Server',
  summary: 'Where the key to the secrets is kept, and which secrets it does not open',
  security: 'caller',
  responses: { 200: ref(SecretsState) },
  errors: [],
})
export const rotateSecretsKey = operation({
  id: 'rotateSecretsKey',
  method: 'POST',
  path: '/api/server/rotate-key',
  tag: 'Server',
  summary: 'Make a new key and encrypt every secret anew with it',
  security: 'caller',
  responses: { 200: ref(SecretsState) },
  errors: ['UNAVAILABLE'],
})
