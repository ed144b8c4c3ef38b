import Type, { type Static } from 'typebox'
import { Nullable } from './common.ts'
import { operation, ref } from './operation.ts'

const closed = { additionalProperties: false } as const
const fields = {
  product_name: Type.String({ minLength: 1, maxLength: 60 }),
  logo_data_url: Nullable(
    Type.String({
      maxLength: 350_000,
      description: 'data: URL of a PNG, JPEG, WebP, or SVG image of at most 256 KiB',
    }),
  ),
  primary_color: Nullable(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', 'x-wanted': 'a color such as #1f6feb', examples: ['#1f6feb'] }),
  ),
  login_message: Nullable(Type.String({ maxLength: 2000, description: 'Plain text on the sign-in page' })),
  support_url: Nullable(Type.String({ maxLength: 2048, description: 'https://, http:// or mailto:' })),
}
export const Branding = Type.Object(fields, { $id: 'Branding' })
export type Branding = Static<typeof Branding>

export const getBranding = operation({
  id: 'getBranding',
  method: 'GET',
  path: '/api/branding',
  tag: 'Branding',
  summary: 'Get the branding',
  security: 'none',
  responses: { 200: ref(Branding) },
  etag: true,
  errors: [],
})
export const updateBranding = operation({
  id: 'updateBranding',
  method: 'PUT',
  path: '/api/branding',
  tag: 'Branding',
  summary: 'Change the branding; omitted fields keep their value, null restores the default',
  security: 'caller',
  body: Type.Object(
    {
      product_name: Type.Optional(Nullable(fields.product_name)),
      logo_data_url: Type.Optional(fields.logo_data_url),
      primary_color: Type.Optional(fields.primary_color),
      login_message: Type.Optional(fields.login_message),
      support_url: Type.Optional(fields.support_url),
    },
    closed,
  ),
  responses: { 200: ref(Branding) },
  etag: true,
  ifMatch: true,
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
