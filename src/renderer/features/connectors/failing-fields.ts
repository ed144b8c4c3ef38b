/** Which fields a failed connection test is about. Pure. */
import type { ConnectorTestResult } from '../../../contract/connectors.ts'
import type { ConnectorForm } from './connector-draft.ts'

const places = ['host', 'uri', 'base_url', 'endpoint', 'root', 'path', 'bucket']
/** Fields by stage; the first ones that the form has are meant. */
const fieldsOfStage: Readonly<Record<string, readonly (readonly string[])[]>> = {
  resolve: [places],
  connect: [places, ['port']],
  tls: [['ssl', 'base_url', 'endpoint']],
  authenticate: [
    ['user', 'access_key_id', 'auth'],
    ['password', 'secret_access_key'],
  ],
  open: [places],
  list: [['root', 'bucket', ...places]],
  read_probe: [['database', 'bucket', 'root', ...places]],
}

/** Systems sign in to a database: one that does not exist is refused like a password. */
const unknownDatabase = new Set(['3D000', 'ER_BAD_DB_ERROR', 'ER_DBACCESS_DENIED_ERROR'])

/** `config.host`, `secrets.password`, …: empty when the test went well, or failed at what no field says. */
export function failingFields(form: ConnectorForm, { checks }: ConnectorTestResult): string[] {
  const failed = checks.find((check) => !check.ok)
  if (!failed) return []
  const has = (name: string) =>
    form.configFields.some((field) => field.name === name)
      ? `config.${name}`
      : form.secretFields.some((field) => field.name === name)
        ? `secrets.${name}`
        : undefined
  if (unknownDatabase.has(failed.error?.code ?? '')) return [has('database')].filter((name) => name !== undefined)
  return (fieldsOfStage[failed.name] ?? []).flatMap((names) => names.map(has).find((name) => name !== undefined) ?? [])
}
