import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, flag, text } from '../../shape/scalars.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, type Span, type YamlMap } from '../../yaml/yaml-tree.ts'
import { columnTypes } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { csvReadOptions, csvReadShape } from '../csv-options.ts'
import { defineSource } from '../definitions.ts'
import { decideFormat, fileFormat, reportNotApplicable } from '../file-format.ts'
import { checkRelativePath, formatOfPath } from '../file-paths.ts'
import type { FilesSource } from './source.types.ts'
import type { FileFormat } from '../task.types.ts'
import { formattedType, type FormattedType } from '../value-formats.ts'
import { xlsxReadOptions, xlsxReadShape } from '../xlsx-options.ts'
import { msg } from '../../messages.ts'
import type { TextProblem } from '../../shape/scalars.ts'

const RECORDS = /^[A-Za-z_$][\w$-]*(\.[A-Za-z_$][\w$-]*)*$/

const filesShape = object(
  {
    glob: required(
      text({
        description:
          'Files to read: a path in the connector’s folder, with `/` between folders. `*` matches any characters, `**` any folders, `?` one character, `[ab]` one of several characters, `{csv,tsv}` one of several texts. Hidden files are ignored. It is an error if no file matches, or if a file or folder that could match has a name that is not valid UTF-8.',
        examples: ['weather/*.csv', 'orders/${{ args.day }}.parquet'],
        template: true,
        maxLength: 1_000,
        check: checkRelativePath,
      }),
    ),
    format: optional(fileFormat),
    union_by_name: withDefault(
      flag({
        description:
          'Matches the columns of several files by name; missing columns are NULL. Otherwise, all files must have the columns of the first file in the same order, or the run fails. The order of keys in JSON records doesn’t matter.',
      }),
      false,
    ),
    columns: withDefault(
      columnTypes(formattedType, {
        description:
          'Column types, and the formats of their texts. Types of unlisted columns are detected from the data, except for columns that only go into text columns of an existing table; objects and lists in JSON are `json`, unchanged.',
        examples: [
          { id: 'integer', amount: 'decimal(18,2)' },
          {
            amount: { type: 'decimal(12,2)', decimal: ',', thousands: '.' },
            day: { type: 'date', format: '%d.%m.%Y' },
          },
        ],
      }),
      {},
      null,
    ),
    csv: optional(csvReadShape),
    xlsx: optional(xlsxReadShape),
    new_only: withDefault(
      flag({
        description:
          'Reads only files that no earlier run of this job and task has processed. A file that has changed since (size or time) is read again. Files count as processed when the target has committed. It is not an error if there are no new files.',
      }),
      false,
    ),
    no_new_files: withDefault(
      choice('With `new_only` and a target that is replaced: what happens to it if there are no new files.', {
        keep: 'It is not changed.',
        empty: 'It is emptied.',
      }),
      'keep',
    ),
    records: optional(
      text({
        description:
          'For `json`: path to the list of records, e.g. `data.items`. By default the document itself is the list.',
        examples: ['data.items'],
        maxLength: 300,
        check: (value): TextProblem | null =>
          RECORDS.test(value)
            ? null
            : {
                code: 'invalid_value',
                message: msg('not_a_records_path', { value: value.slice(0, 60) }),
                hint: msg('write_records_path'),
              },
      }),
    ),
    on_error: withDefault(
      choice(
        'What happens to a row that can’t be read: a wrong number of columns, a value of the wrong type, invalid UTF-8, broken quotes, or, in JSON Lines, a line that is not one object or has a duplicate key. The run always fails if the end of a row is unclear: a quote that is not closed before the end of the file, or, in CSV, text after a value in quotes that began in an earlier line, a bad row of several lines that is longer than 10,000 bytes, or mixed line endings.',
        {
          fail: 'The run fails; the error contains file and line.',
          quarantine: 'The row goes to the run’s rejects with file, line, and reason.',
        },
      ),
      'fail',
    ),
  },
  {
    noun: msg('named', { name: 'files' }),
    description: 'Reads files. All matching files are read as one stream of rows.',
  },
)

const variant = defineVariant({
  key: 'files',
  noun: msg('a_source_with', { kind: 'files' }),
  description: 'Rows from CSV, JSON, Parquet, or Excel files.',
  fields: {
    connector: required(slotReference(['file', 's3', 'sftp'], 'read', msg('source_named', { kind: 'files' }))),
    files: required(filesShape),
  },
  build({ connector, files }, node, path, context): FilesSource | undefined {
    const map = entryOf(node, 'files')?.value
    if (map?.kind !== 'map') return undefined // cannot be: it was just read as a map
    const span = (key: string): Span => entryOf(map, key)?.value.mark ?? map.mark
    const format = decideFormat(files.format, files.glob, { path: `${path}.files.glob`, at: span('glob') }, context)
    if (format === null || !checkOptions(map, format, `${path}.files`, context)) return undefined
    return {
      kind: 'files',
      connector,
      glob: files.glob,
      format,
      union_by_name: files.union_by_name,
      ...splitFormats(files.columns),
      csv: format === 'csv' ? csvReadOptions(files.csv, formatOfPath(files.glob).delimiter) : null,
      xlsx: format === 'xlsx' ? xlsxReadOptions(files.xlsx) : null,
      new_only: files.new_only,
      no_new_files: files.no_new_files,
      records: files.records ?? null,
      on_error: files.on_error,
    }
  },
})

function splitFormats(columns: Record<string, FormattedType>): Pick<FilesSource, 'columns' | 'formats'> {
  const entries = Object.entries(columns)
  const formats = entries.flatMap(([column, { format }]) => (format === null ? [] : [[column, format] as const]))
  return {
    columns: Object.fromEntries(entries.map(([column, { type }]) => [column, type])),
    ...(formats.length > 0 ? { formats: Object.fromEntries(formats) } : {}),
  }
}

function checkOptions(map: YamlMap, format: FileFormat, path: string, context: ReadContext): boolean {
  const options = [
    { key: 'csv', only: 'csv' },
    { key: 'xlsx', only: 'xlsx' },
    { key: 'records', only: 'json' },
  ] as const
  let right = true
  for (const { key, only } of options) {
    const entry = entryOf(map, key)
    if (!entry || format === only) continue
    right = false
    reportNotApplicable(context, key, format, only, `${path}.${key}`, entry.keySpan)
  }
  return right
}

export const filesSource = defineSource<FilesSource>({
  kind: 'files',
  variant,
  // `columns` names some columns only; the files have the rest.
  columns: () => null,
  resolve: (source, resolver, path) => ({
    ...source,
    glob: resolver.text(source.glob, `${path}.files.glob`, checkRelativePath),
  }),
})
