/**
 * Every place of the store where sealed text lies. Rotation of the key and the list of lost secrets walk it; a column named
 * `*sealed*` that is not here fails a test.
 */
export interface SealedColumn {
  readonly kind: 'connector' | 'notification' | 'totp' | 'setting'
  readonly table: string
  readonly column: string
  /** SQL over a row: its id (null: it has none), what a person calls it, and the names of its secrets as a JSON array. */
  readonly id: string
  readonly name: string
  readonly secrets: string
  /** SQL over a row: what it was sealed for. */
  readonly context: string
}

export const connectorSecretsContext = 'connector.secrets'
export const notificationSecretsContext = 'notification.secrets'

export const sealedColumns: readonly SealedColumn[] = [
  {
    kind: 'connector',
    table: 'connectors',
    column: 'sealed_secrets',
    id: 'id',
    name: 'name',
    secrets: 'secret_names',
    context: `'${connectorSecretsContext}'`,
  },
  {
    kind: 'notification',
    table: 'notifications',
    column: 'sealed_secrets',
    id: 'id',
    name: 'name',
    secrets: 'secret_names',
    context: `'${notificationSecretsContext}'`,
  },
  {
    kind: 'totp',
    table: 'users',
    column: 'totp_sealed',
    id: 'id',
    name: 'username',
    secrets: `'["totp"]'`,
    context: `'user:' || id || ':totp'`,
  },
  {
    kind: 'setting',
    table: 'setting_secrets',
    column: 'sealed_value',
    id: 'NULL',
    name: 'key',
    secrets: 'json_array(key)',
    context: `'setting:' || key`,
  },
]
