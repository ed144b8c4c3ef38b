import type { FieldSpec } from './schema-form.ts'

export const fieldGroups = ['connection', 'signIn', 'more'] as const
export type FieldGroup = (typeof fieldGroups)[number]

const signIn: ReadonlySet<string> = new Set([
  'auth',
  'user',
  'auth_source',
  'api_key_name',
  'api_key_in',
  'token_url',
  'client_id',
  'scope',
  'access_key_id',
])
const more: ReadonlySet<string> = new Set(['headers', 'requests_per_second', 'timeout_seconds', 'allow_private'])

/** Where a field stands in the form: where the system is, who signs in, and what is seldom touched. Secrets belong to signing in. */
export function groupOf(field: Pick<FieldSpec, 'name'>): FieldGroup {
  if (signIn.has(field.name)) return 'signIn'
  return more.has(field.name) ? 'more' : 'connection'
}

/** What stands on one line. */
export const isPlace = ({ name }: Pick<FieldSpec, 'name'>) => name === 'host' || name === 'port'
