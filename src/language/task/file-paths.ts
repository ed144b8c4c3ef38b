import { shortened } from '../shortened.ts'
import type { FileFormat } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

/** Paths in YAML are relative to the connector's root and use `/` on every system. null: fine. */
export function checkRelativePath(path: string): TextProblem | null {
  const outside = (message: Message): { code: 'path_outside'; message: Message; hint: Message } => ({
    code: 'path_outside',
    message,
    hint: msg('write_relative_path'),
  })
  if (path.startsWith('/') || path.startsWith('~')) return outside(msg('path_absolute', { path: shortened(path, 80) }))
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return outside(msg('path_names_drive', { path: shortened(path, 80) }))
  if (path.split('/').includes('..')) return outside(msg('path_leaves_folder', { path: shortened(path, 80) }))
  if (path.includes('\\')) {
    return {
      code: 'invalid_value',
      message: msg('path_has_backslash', { path: shortened(path, 80) }),
      hint: msg('use_slashes'),
    }
  }
  return null
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
