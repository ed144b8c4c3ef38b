import {
  IconApi,
  IconBucket,
  IconDatabase,
  IconDatabaseExport,
  IconFileDatabase,
  IconFolder,
  IconLeaf,
  IconPlug,
  IconServer,
  IconTableShare,
  type TablerIcon,
} from '@tabler/icons-react'

const icons: Readonly<Record<string, TablerIcon>> = {
  file: IconFolder,
  s3: IconBucket,
  sftp: IconServer,
  sqlite: IconFileDatabase,
  duckdb: IconFileDatabase,
  postgres: IconDatabase,
  mysql: IconDatabaseExport,
  mongodb: IconLeaf,
  http: IconApi,
  odata: IconTableShare,
}

/** How addresses of a type are written that its form takes apart. */
export const urlExamples: Readonly<Record<string, string>> = {
  postgres: 'postgres://user:password@host:5432/database',
  mysql: 'mysql://user:password@host:3306/database',
  mongodb: 'mongodb://user:password@host:27017/database',
  http: 'https://user:password@api.example.com/v1',
  odata: 'https://user:password@services.example.com/odata',
  s3: 's3://access-key:secret-key@bucket/prefix?region=eu-central-1',
  sftp: 'sftp://user:password@host:22/folder',
}

export const typeGroups = ['files', 'databases', 'services', 'others'] as const
export type TypeGroup = (typeof typeGroups)[number]

const groups: Readonly<Record<string, TypeGroup>> = {
  file: 'files',
  s3: 'files',
  sftp: 'files',
  sqlite: 'databases',
  duckdb: 'databases',
  postgres: 'databases',
  mysql: 'databases',
  mongodb: 'databases',
  http: 'services',
  odata: 'services',
}

/** Under which heading a type is offered. */
export const typeGroup = (type: string): TypeGroup => groups[type] ?? 'others'

/** The icon of a connector type; one that this window does not know yet gets a plug. */
export function ConnectorIcon({ type, size = 15 }: { type: string; size?: number }) {
  const Icon = icons[type] ?? IconPlug
  return <Icon size={size} stroke={1.6} aria-hidden style={{ flex: 'none', verticalAlign: '-3px' }} />
}
