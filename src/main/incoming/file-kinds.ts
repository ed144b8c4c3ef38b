import type { OpenedFileKind } from '../../contract/desktop-bridge.ts'

// What the engine reads as rows (src/language/task/file-paths.ts), alone or compressed, and the databases that have a
// connector type.
const ROWS = ['csv', 'tsv', 'tab', 'psv', 'json', 'ndjson', 'jsonl', 'parquet', 'pq', 'xlsx', 'xlsm']
const COMPRESSED = new Set(['csv', 'tsv', 'tab', 'psv', 'json', 'ndjson', 'jsonl'])
const DATABASES = ['sqlite', 'sqlite3', 'db', 'duckdb']
const DOCUMENTS = ['yaml', 'yml']

/** What a file is taken for, by its name alone. */
export function kindOfFile(name: string): OpenedFileKind {
  const lower = name.toLowerCase()
  if (lower.endsWith('.headgate.ndjson')) return 'bundle'
  const [, first = '', compression] = /\.([a-z0-9]+)(?:\.(gz|zst))?$/.exec(lower) ?? []
  if (compression) return COMPRESSED.has(first) ? 'data' : 'unknown'
  if (DOCUMENTS.includes(first)) return 'document'
  return ROWS.includes(first) || DATABASES.includes(first) ? 'data' : 'unknown'
}

/** Without dots, for the system's dialog. */
export const fileExtensions = {
  bundle: ['ndjson'],
  document: DOCUMENTS,
  data: [...ROWS, ...DATABASES, 'gz', 'zst'],
}
