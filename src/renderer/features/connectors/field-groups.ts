import type { FieldSpec } from './schema-form.ts'

export type FieldGroup = 'connection' | 'signIn' | 'options' | 'more'
type Field = Pick<FieldSpec, 'name' | 'required' | 'kind'>

/** Who signs in; the first secret stands beside it. */
const identities: ReadonlySet<string> = new Set(['user', 'api_key_name', 'client_id', 'access_key_id'])
const signIn: ReadonlySet<string> = new Set([...identities, 'auth', 'auth_source', 'api_key_in', 'token_url', 'scope'])
const more: ReadonlySet<string> = new Set(['headers', 'requests_per_second', 'timeout_seconds', 'allow_private'])

const isPlace = ({ name }: Pick<Field, 'name'>) => name === 'host' || name === 'port'

/** Where a field stands in the form: where the system is, who signs in, what may stay as it is, and what is seldom touched. */
export function groupOf(field: Pick<Field, 'name' | 'required'>): FieldGroup {
  if (signIn.has(field.name)) return 'signIn'
  if (more.has(field.name)) return 'more'
  return field.required || isPlace(field) ? 'connection' : 'options'
}

/** What stands on one line together: a host with its port, and who signs in with what proves it. */
export function rowsOf<F extends Field>(fields: readonly F[], secrets: readonly F[]): F[][] {
  const [proof, ...others] = secrets
  const identity = proof?.kind === 'text' ? fields.find(({ name }) => identities.has(name)) : undefined
  const port = fields.find(({ name }) => name === 'port')
  const besides = (field: F) => (field === identity ? proof : field.name === 'host' ? port : undefined)
  const rows = fields
    .filter((field) => field !== port)
    .map((field) => [field, besides(field)].filter((one) => one !== undefined))
  return [...rows, ...(identity ? others : secrets).map((secret) => [secret])]
}
