/** How connectors of web services (HTTP, OData) are configured. */
import Type from 'typebox'

const closed = { additionalProperties: false } as const

const wantedAddress = 'an http:// or https:// address without user and password'
const port = String.raw`(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`
const addressPattern = String.raw`^https?://(\[[0-9A-Fa-f:.]+\]|[^\s@/?#:\[\]]+)(:${port})?([/?#][^@\s]*)?$`
export const webAddress = (title: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    title,
    pattern: addressPattern,
    'x-wanted': wantedAddress,
    examples: [example],
  })

/**
 * How a web service is reached. Which fields count follows from `auth`: forms show those whose `x-when` holds, and those marked
 * `x-required` must then be filled in.
 */
export const webConfig = {
  auth: Type.Optional(
    Type.Enum(['none', 'basic', 'bearer', 'api_key', 'oauth2'], {
      default: 'none',
      title: 'Sign in with',
    }),
  ),
  user: Type.Optional(
    Type.String({ maxLength: 255, title: 'User', 'x-when': { auth: ['basic'] }, 'x-required': true }),
  ),
  api_key_name: Type.Optional(
    Type.String({
      maxLength: 128,
      default: 'X-API-Key',
      title: 'Key header or parameter name',
      'x-when': { auth: ['api_key'] },
    }),
  ),
  api_key_in: Type.Optional(
    Type.Enum(['header', 'query'], { default: 'header', title: 'Send key in', 'x-when': { auth: ['api_key'] } }),
  ),
  token_url: Type.Optional(
    Type.String({
      maxLength: 2048,
      title: 'Token URL',
      pattern: addressPattern,
      'x-wanted': wantedAddress,
      'x-required': true,
      examples: ['https://login.example.com/oauth2/token'],
      'x-when': { auth: ['oauth2'] },
    }),
  ),
  client_id: Type.Optional(
    Type.String({ maxLength: 255, title: 'Client', 'x-when': { auth: ['oauth2'] }, 'x-required': true }),
  ),
  scope: Type.Optional(Type.String({ maxLength: 1024, title: 'Scope', 'x-when': { auth: ['oauth2'] } })),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }),
      Type.String({
        maxLength: 4096,
        pattern: String.raw`^[\t\x20-\x7e\x80-\xff]*$`,
        'x-wanted': 'one line of Latin-1 characters',
      }),
      {
        additionalProperties: false,
        title: 'Headers',
        description: 'Sent with every request. Don’t put credentials here: enter them as secrets.',
      },
    ),
  ),
  requests_per_second: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1000, title: 'Requests a second', description: 'Upper limit.' }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 600, default: 60, title: 'Time for one request, in seconds' }),
  ),
  allow_private: Type.Optional(
    Type.Boolean({
      default: false,
      title: 'Allow private addresses',
      description:
        'For hosts of this connector on this machine and in the local network. Redirects to other hosts there are refused, and addresses that serve cloud credentials are never allowed.',
    }),
  ),
} as const
export const webSecrets = Type.Object(
  {
    password: Type.Optional(Type.String({ maxLength: 4096, title: 'Password', 'x-when': { auth: ['basic'] } })),
    token: Type.Optional(Type.String({ maxLength: 65536, title: 'Bearer token', 'x-when': { auth: ['bearer'] } })),
    api_key: Type.Optional(Type.String({ maxLength: 4096, title: 'Key', 'x-when': { auth: ['api_key'] } })),
    client_secret: Type.Optional(
      Type.String({ maxLength: 4096, title: 'Client secret', 'x-when': { auth: ['oauth2'] } }),
    ),
  },
  closed,
)
