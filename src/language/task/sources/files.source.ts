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

const RECORDS = /^[A-Za-z_$][\w$-]*(\.[A-Za-z_$][\w$-]*)*$/

const filesShape = object(
  {
    glob: required(
      text({
        description:
          "Which files: a path from the connector's folder, `/` between folders. `*` stands for any characters, `**` for any folders, `?` for one character, `[ab]` for one of several, `{csv,tsv}` for one of several texts. Hidden files are left out. No file found is an error, and so is a file or folder that may match but whose name is not valid UTF-8.",
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
          'Matches the columns of several files by name; missing ones are NULL. Without it every file must have the columns of the first file in the same order, or the run fails. Keys of JSON records have no order.',
      }),
      false,
    ),
    columns: withDefault(
      columnTypes(formattedType, {
        description:
          'Types of columns, and how their texts write them. Those not named here get the type that the data show; objects and lists in JSON are `json`, as they are written.',
        examples: [
          { id: 'integer', amount: 'decimal(18,2)' },
          { amount: { type: 'decimal(12,2)', decimal: ',', thousands: '.' }, day: { type: 'date', format: '%d.%m.%Y' } },
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
          'Only files that no earlier run of this job and task has taken; one that has changed since (size or time) is read again. They count as taken once the target has committed. No new file is no error.',
      }),
      false,
    ),
    records: optional(
      text({
        description: 'For `json`: path to the list of records, e.g. `data.items`. By default the document is the list.',
        examples: ['data.items'],
        maxLength: 300,
        check: (value) =>
          RECORDS.test(value)
            ? null
            : {
                code: 'invalid_value',
                message: `\`${value.slice(0, 60)}\` is no path to a list.`,
                hint: 'Write names with dots between them, e.g. `data.items`.',
              },
      }),
    ),
    on_error: withDefault(
      choice(
        'What happens with a row that cannot be read: a wrong number of columns, a value of the wrong type, invalid UTF-8, broken quotes. What hides where rows end fails the run in either case: a quote that is not closed before the end of the file, or, in CSV, line ends of different kinds. In JSON Lines, a line that is not one object, or in which a key stands twice, cannot be read either.',
        {
          fail: 'The run fails and names file and line.',
          quarantine: "The row goes to the run's rejects with file, line and reason.",
        },
      ),
      'fail',
    ),
  },
  { noun: '`files`', description: 'Reads files. All that match are read as one stream of rows.' },
)

const variant = defineVariant({
  key: 'files',
  noun: 'a source with `files`',
  description: 'Rows from CSV, JSON, Parquet or Excel files.',
  fields: {
    connector: required(slotReference(['file', 's3', 'sftp'], 'read', 'source `files`')),
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
