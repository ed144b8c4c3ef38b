/** The kinds of connected system: what their configuration looks like, and which fields are secret. Forms are made from this. */
import Type, { type Static, type TObject } from 'typebox'

const Port = (standard: number) => Type.Integer({ minimum: 1, maximum: 65535, default: standard, title: 'Port' })
const closed = { additionalProperties: false } as const

export interface ConnectorTypeSpec {
  readonly type: string
  readonly title: string
  readonly description: string
  readonly config: TObject
  /** Write-only fields, each a string. */
  readonly secrets: TObject
  readonly reads: boolean
  readonly writes: boolean
}

export const connectorTypeSpecs = {
  file: {
    type: 'file',
    title: 'Files in a folder',
    description: 'CSV, JSON Lines, JSON and Parquet files below one folder of the executor’s machine.',
    config: Type.Object(
      {
        root: Type.String({
          minLength: 1,
          maxLength: 4096,
          title: 'Folder',
          description: 'Absolute path. Tasks reach only what lies below it.',
          format: 'folder-path',
          examples: ['/home/ada/data'],
        }),
      },
      closed,
    ),
    secrets: Type.Object({}, closed),
    reads: true,
    writes: true,
  },
  sqlite: {
    type: 'sqlite',
    title: 'SQLite',
    description: 'A SQLite database file on the executor’s machine.',
    config: Type.Object(
      {
        path: Type.String({
          minLength: 1,
          maxLength: 4096,
          title: 'Database file',
          description: 'Absolute path. Made when a task first writes to it.',
          format: 'file-path',
          examples: ['/home/ada/data/app.db'],
        }),
        read_only: Type.Optional(
          Type.Boolean({ default: false, title: 'Read only', description: 'Refuse every write' }),
        ),
      },
      closed,
    ),
    secrets: Type.Object({}, closed),
    reads: true,
    writes: true,
  },
  postgres: {
    type: 'postgres',
    title: 'PostgreSQL',
    description: 'A PostgreSQL database, version 12 or newer.',
    config: Type.Object(
      {
        host: Type.String({ minLength: 1, maxLength: 255, default: 'localhost', title: 'Host' }),
        port: Type.Optional(Port(5432)),
        database: Type.String({ minLength: 1, maxLength: 63, title: 'Database' }),
        user: Type.String({ minLength: 1, maxLength: 63, title: 'User' }),
        ssl: Type.Optional(
          Type.Enum(['disable', 'require', 'verify-full'], {
            default: 'disable',
            title: 'TLS',
            description: 'verify-full also checks the certificate and the host name',
          }),
        ),
        schema: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 63,
            default: 'public',
            title: 'Schema',
            description: 'Where tables without a schema are looked up',
          }),
        ),
      },
      closed,
    ),
    secrets: Type.Object({ password: Type.Optional(Type.String({ maxLength: 4096, title: 'Password' })) }, closed),
    reads: true,
    writes: true,
  },
} as const satisfies Record<string, ConnectorTypeSpec>

export type ConnectorType = keyof typeof connectorTypeSpecs
export const connectorTypes = Object.keys(connectorTypeSpecs) as ConnectorType[]

/** The configuration of a connector of type T. */
export type ConnectorConfig<T extends ConnectorType> = Static<(typeof connectorTypeSpecs)[T]['config']>
