/** The kinds of connected system: what their configuration looks like, and which fields are secret. Forms are made from this. */
import Type, { type Static, type TObject } from 'typebox'
import { webAddress, webConfig, webSecrets } from './connector-web.ts'

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

const password = Type.String({ maxLength: 4096, title: 'Password' })
const tlsMode = Type.Enum(['disable', 'require', 'verify-full'], {
  default: 'disable',
  title: 'TLS',
  description: 'Full verification also checks the certificate and the host name.',
})
/** The one file that a database of SQLite or DuckDB is. */
const databaseFile = (example: string) =>
  Type.Object(
    {
      path: Type.String({
        minLength: 1,
        maxLength: 4096,
        title: 'Database file',
        description: 'Absolute path. Created when a task first writes to it.',
        format: 'file-path',
        examples: [example],
      }),
      read_only: Type.Optional(
        Type.Boolean({ default: false, title: 'Read only', description: 'Tasks that write to it fail.' }),
      ),
    },
    closed,
  )

export const connectorTypeSpecs = {
  file: {
    type: 'file',
    title: 'Files in a folder',
    description: 'CSV, JSON Lines, JSON, Parquet, and Excel files in a folder on the executor’s machine.',
    config: Type.Object(
      {
        root: Type.String({
          minLength: 1,
          maxLength: 4096,
          title: 'Folder',
          description: 'Absolute path. Tasks can access only files in this folder.',
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
    config: databaseFile('/home/ada/data/app.db'),
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
        ssl: Type.Optional(tlsMode),
        schema: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 63,
            default: 'public',
            title: 'Schema',
            description: 'Default schema for unqualified table names.',
          }),
        ),
      },
      closed,
    ),
    secrets: Type.Object({ password: Type.Optional(password) }, closed),
    reads: true,
    writes: true,
  },
  mysql: {
    type: 'mysql',
    title: 'MySQL or MariaDB',
    description: 'MySQL 8, MariaDB 10.5, or newer.',
    config: Type.Object(
      {
        host: Type.String({ minLength: 1, maxLength: 255, default: 'localhost', title: 'Host' }),
        port: Type.Optional(Port(3306)),
        database: Type.String({ minLength: 1, maxLength: 64, title: 'Database' }),
        user: Type.String({ minLength: 1, maxLength: 80, title: 'User' }),
        ssl: Type.Optional(tlsMode),
        tinyint1: Type.Optional(
          Type.Enum(['boolean', 'integer'], {
            default: 'boolean',
            title: 'Read tinyint(1) as',
            description: 'As boolean, values other than 0 and 1 are refused.',
          }),
        ),
        time: Type.Optional(
          Type.Enum(['time', 'string'], {
            default: 'time',
            title: 'Read TIME as',
            description: 'As time, durations outside 00:00:00–23:59:59 are refused.',
          }),
        ),
      },
      closed,
    ),
    secrets: Type.Object({ password: Type.Optional(password) }, closed),
    reads: true,
    writes: true,
  },
  duckdb: {
    type: 'duckdb',
    title: 'DuckDB',
    description: 'A DuckDB database file on the executor’s machine.',
    config: databaseFile('/home/ada/data/warehouse.duckdb'),
    secrets: Type.Object({}, closed),
    reads: true,
    writes: true,
  },
  mongodb: {
    type: 'mongodb',
    title: 'MongoDB',
    description: 'A MongoDB or MongoDB-compatible database.',
    config: Type.Object(
      {
        uri: Type.String({
          minLength: 1,
          maxLength: 2048,
          title: 'Address',
          pattern: '^mongodb(\\+srv)?://[^@]+$',
          'x-wanted': 'a mongodb:// or mongodb+srv:// address without user and password',
          description: 'mongodb:// or mongodb+srv://, with options but without user and password.',
          examples: ['mongodb://localhost:27017'],
        }),
        database: Type.String({ minLength: 1, maxLength: 63, title: 'Database' }),
        user: Type.Optional(Type.String({ maxLength: 255, title: 'User' })),
        auth_source: Type.Optional(
          Type.String({
            maxLength: 63,
            title: 'Authentication database',
            description: 'Database that defines the user; admin by default.',
          }),
        ),
      },
      closed,
    ),
    secrets: Type.Object({ password: Type.Optional(password) }, closed),
    reads: true,
    writes: true,
  },
  http: {
    type: 'http',
    title: 'HTTP API',
    description: 'A JSON web API.',
    config: Type.Object({ base_url: webAddress('Base URL', 'https://api.example.com/v1'), ...webConfig }, closed),
    secrets: webSecrets,
    reads: true,
    writes: true,
  },
  odata: {
    type: 'odata',
    title: 'OData',
    description: 'An OData v4 service.',
    config: Type.Object(
      { base_url: webAddress('Service root', 'https://services.example.com/odata/v4/sales'), ...webConfig },
      closed,
    ),
    secrets: webSecrets,
    reads: true,
    writes: false,
  },
  s3: {
    type: 's3',
    title: 'S3',
    description: 'Files in a bucket of Amazon S3 or S3-compatible storage.',
    config: Type.Object(
      {
        bucket: Type.String({ minLength: 3, maxLength: 63, title: 'Bucket' }),
        prefix: Type.Optional(
          Type.String({
            maxLength: 1024,
            title: 'Prefix',
            description: 'Acts as a folder: tasks can access only objects in it.',
            examples: ['exports/2026'],
          }),
        ),
        region: Type.Optional(Type.String({ maxLength: 63, default: 'us-east-1', title: 'Region' })),
        endpoint: Type.Optional(webAddress('Endpoint', 'http://localhost:9000')),
        path_style: Type.Optional(
          Type.Boolean({
            default: false,
            title: 'Bucket in the path',
            description: 'Required by MinIO and most S3-compatible storage.',
          }),
        ),
        access_key_id: Type.Optional(Type.String({ maxLength: 128, title: 'Access key' })),
      },
      closed,
    ),
    secrets: Type.Object(
      {
        secret_access_key: Type.Optional(Type.String({ maxLength: 4096, title: 'Secret key' })),
        session_token: Type.Optional(Type.String({ maxLength: 8192, title: 'Session token' })),
      },
      closed,
    ),
    reads: true,
    writes: true,
  },
  sftp: {
    type: 'sftp',
    title: 'SFTP',
    description: 'Files on a server over SSH.',
    config: Type.Object(
      {
        host: Type.String({ minLength: 1, maxLength: 255, title: 'Host' }),
        port: Type.Optional(Port(22)),
        user: Type.String({ minLength: 1, maxLength: 255, title: 'User' }),
        root: Type.Optional(
          Type.String({
            maxLength: 4096,
            title: 'Folder',
            description: 'Tasks can access only files in this folder; by default the server’s start folder.',
            examples: ['/srv/exports'],
          }),
        ),
        host_key: Type.String({
          minLength: 1,
          maxLength: 200,
          title: 'Host key',
          description: 'Fingerprint of the server’s key, as ssh shows it. Test the connection to see it.',
          pattern: '^SHA256:[A-Za-z0-9+/]{43}=?$|^any$',
          'x-wanted': 'a fingerprint as ssh shows it (SHA256:…), or `any` to trust whatever key the server shows',
          examples: ['SHA256:uNiVztksCsDhcc0u9e8BrsrJYqsrq4PuT1ccmfWYHWg'],
        }),
      },
      closed,
    ),
    secrets: Type.Object(
      {
        password: Type.Optional(password),
        private_key: Type.Optional(Type.String({ maxLength: 65536, title: 'Private key', format: 'pem' })),
        passphrase: Type.Optional(Type.String({ maxLength: 4096, title: 'Key passphrase' })),
      },
      closed,
    ),
    reads: true,
    writes: true,
  },
} as const satisfies Record<string, ConnectorTypeSpec>

export type ConnectorType = keyof typeof connectorTypeSpecs
export const connectorTypes = Object.keys(connectorTypeSpecs) as ConnectorType[]

/** The configuration of a connector of type T. */
export type ConnectorConfig<T extends ConnectorType> = Static<(typeof connectorTypeSpecs)[T]['config']>
