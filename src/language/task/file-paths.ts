import type { FileFormat } from './task.types.ts'

/** Paths in YAML are relative to the connector's root and use `/` on every system. null: fine. */
export function checkRelativePath(
  path: string,
): { code: 'path_outside' | 'invalid_value'; message: string; hint: string } | null {
  const outside = (message: string): { code: 'path_outside'; message: string; hint: string } => ({
    code: 'path_outside',
    message,
    hint: "Write the path from the connector's folder, e.g. `weather/2024.csv`.",
  })
  if (path.startsWith('/') || path.startsWith('~')) return outside(`\`${shown(path)}\` is an absolute path.`)
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return outside(`\`${shown(path)}\` names a drive or a protocol.`)
  if (path.split('/').includes('..')) return outside(`\`${shown(path)}\` leaves the connector's folder.`)
  if (path.includes('\\')) {
    return {
      code: 'invalid_value',
      message: `\`${shown(path)}\` has a backslash.`,
      hint: 'Separate folders with `/` on every system.',
    }
  }
  return null
}

function shown(path: string): string {
  return path.length > 80 ? `${path.slice(0, 77)}…` : path
}

const extensions: Record<string, { format: FileFormat; delimiter?: string }> = {
  csv: { format: 'csv' },
  tsv: { format: 'csv', delimiter: '\t' },
  tab: { format: 'csv', delimiter: '\t' },
  psv: { format: 'csv', delimiter: '|' },
  json: { format: 'json' },
  jsonl: { format: 'jsonl' },
  ndjson: { format: 'jsonl' },
  parquet: { format: 'parquet' },
  pq: { format: 'parquet' },
  xlsx: { format: 'xlsx' },
  xlsm: { format: 'xlsx' },
}
export const knownExtensions: readonly string[] = Object.keys(extensions)

/** What a path's extension says; `.gz` and `.zst` are looked through. A path that ends in an expression says nothing. */
export function formatOfPath(path: string): {
  format: FileFormat | null
  delimiter: string
  compression: 'none' | 'gzip' | 'zstd'
} {
  const match = /\.([A-Za-z0-9]+)(\.(gz|zst))?$/.exec(path.toLowerCase())
  const compressedOnly = match?.[1] === 'gz' || match?.[1] === 'zst'
  const known = match && !compressedOnly ? extensions[match[1] ?? ''] : undefined
  const suffix = match?.[3] ?? (compressedOnly ? match[1] : undefined)
  return {
    format: known?.format ?? null,
    delimiter: known?.delimiter ?? ',',
    compression: suffix === 'gz' ? 'gzip' : suffix === 'zst' ? 'zstd' : 'none',
  }
}
