import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, text } from '../../shape/scalars.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import { slotReference } from '../connector-slots.ts'
import { csvWriteOptions, csvWriteShape } from '../csv-options.ts'
import { defineTarget } from '../definitions.ts'
import { decideFormat, fileFormat, reportNotApplicable } from '../file-format.ts'
import { checkRelativePath, formatOfPath } from '../file-paths.ts'
import type { FileCompression, FileTarget } from './target.types.ts'
import type { FileFormat } from '../task.types.ts'
import { xlsxWriteOptions, xlsxWriteShape } from '../xlsx-options.ts'
import { msg } from '../../messages.ts'

const compressions: Record<FileFormat, readonly FileCompression[]> = {
  csv: ['none', 'gzip', 'zstd'],
  json: ['none', 'gzip', 'zstd'],
  jsonl: ['none', 'gzip', 'zstd'],
  parquet: ['zstd', 'snappy', 'gzip', 'none'],
  xlsx: ['none'],
}

function checkFilePath(path: string): ReturnType<typeof checkRelativePath> {
  const problem = checkRelativePath(path)
  if (problem) return problem
  if (/[*?[\]{}]/.test(path.replaceAll(/\$\{\{.*?\}\}/g, ''))) {
    return {
      code: 'invalid_value',
      message: msg('path_has_wildcard', { path: path.slice(0, 80) }),
      hint: msg('write_file_name'),
    }
  }
  if (path.endsWith('/'))
    return {
      code: 'invalid_value',
      message: msg('path_is_folder', { path: path.slice(0, 80) }),
      hint: msg('add_file_name'),
    }
  return null
}

const fileShape = object(
  {
    path: required(
      text({
        description:
          'The file: a path in the connector’s folder, with `/` between folders. Missing folders are created.',
        examples: ['exports/daily.parquet', 'exports/${{ args.day }}.csv'],
        template: true,
        maxLength: 1_000,
        check: checkFilePath,
      }),
    ),
    format: optional(fileFormat),
    csv: optional(csvWriteShape),
    xlsx: optional(xlsxWriteShape),
    compression: optional(
      choice(
        'How the file is compressed. By default `zstd` for Parquet, otherwise taken from the extension (`.gz`, `.zst`).',
        {
          none: 'No compression.',
          gzip: 'Gzip.',
          zstd: 'Zstandard.',
          snappy: 'Snappy; Parquet only.',
        },
      ),
    ),
  },
  {
    noun: msg('named', { name: 'file' }),
    description: 'One file. It is written under another name and replaces the old file when it is complete.',
  },
)

const variant = defineVariant({
  key: 'file',
  noun: msg('a_target_with', { kind: 'file' }),
  description: 'Writes one file.',
  fields: {
    connector: required(slotReference(['file', 's3', 'sftp'], 'write', msg('target_named', { kind: 'file' }))),
    file: required(fileShape),
    mode: withDefault(choice('How the file is written.', { replace: 'Replaces an existing file.' }), 'replace'),
  },
  build({ connector, file, mode }, node, path, context): FileTarget | undefined {
    const map = entryOf(node, 'file')?.value
    if (map?.kind !== 'map') return undefined // cannot be: it was just read as a map
    const place = { path: `${path}.file.path`, at: entryOf(map, 'path')?.value.mark ?? map.mark }
    const format = decideFormat(file.format, file.path, place, context)
    if (format === null || !checkOptions(map, format, file.compression, `${path}.file`, context)) return undefined
    const byPath = formatOfPath(file.path)
    return {
      kind: 'file',
      connector,
      path: file.path,
      format,
      csv: format === 'csv' ? csvWriteOptions(file.csv, byPath.delimiter) : null,
      xlsx: format === 'xlsx' ? xlsxWriteOptions(file.xlsx) : null,
      compression: file.compression ?? (format === 'parquet' ? 'zstd' : byPath.compression),
      mode,
    }
  },
})

function checkOptions(
  map: YamlMap,
  format: FileFormat,
  compression: FileCompression | undefined,
  path: string,
  context: ReadContext,
): boolean {
  let right = true
  for (const only of ['csv', 'xlsx'] as const) {
    const entry = entryOf(map, only)
    if (!entry || format === only) continue
    right = false
    reportNotApplicable(context, only, format, only, `${path}.${only}`, entry.keySpan)
  }
  const allowed = compression === undefined || compressions[format].includes(compression)
  if (!allowed) {
    context.report({
      code: 'option_not_applicable',
      message: msg('compression_not_applicable', { format, compression }),
      hint: msg('use_compression', { compressions: compressions[format] }),
      path: `${path}.compression`,
      at: entryOf(map, 'compression')?.value.mark ?? map.mark,
    })
  }
  return allowed && right
}

export const fileTarget = defineTarget<FileTarget>({
  kind: 'file',
  variant,
  needs: () => [],
  resolve: (target, resolver, path) => ({
    ...target,
    path: resolver.text(target.path, `${path}.file.path`, checkFilePath),
  }),
})
