import { listOf, object, optional, withDefault } from '../shape/collections.ts'
import { choice, flag, number, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import type { CsvReadOptions } from './sources/source.types.ts'
import type { CsvWriteOptions } from './targets/target.types.ts'
import { decimalMark, momentPattern, readMarks, thousandsMark } from './value-formats.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

const oneCharacter = (value: string): TextProblem | null =>
  Array.from(value).length <= 1
    ? null
    : {
        code: 'invalid_value',
        message: msg('not_one_character', { value: value.slice(0, 20) }),
        hint: msg('write_one_character_quoted'),
      }

const quote = withDefault(
  text({
    description: 'Character around values that contain delimiters or line breaks; "" for none.',
    minLength: 0,
    maxLength: 4,
    check: oneCharacter,
  }),
  '"',
)
const escape = withDefault(
  text({
    description: 'Character before a quote inside a quoted value; "" for none.',
    minLength: 0,
    maxLength: 4,
    check: oneCharacter,
  }),
  '"',
)
/** Its default depends on the file's extension, so it is filled in by who reads it. */
const delimiter = withDefault(
  delimiterText(
    'Character between values. By default `,`; a tab for `.tsv`, `|` for `.psv`. Write a tab as "\\t" in double quotes.',
  ),
  '',
  ',',
)

function delimiterText(description: string): ReturnType<typeof text> {
  const shape = text({ description, minLength: 0, maxLength: 4, check: oneCharacter })
  return {
    schema: { ...shape.schema, minLength: 1 },
    read(node, path, context) {
      // A tab is blank, but it is what a delimiter often is; an empty one is not.
      if (node.kind === 'scalar' && node.value === '') {
        context.report({
          code: 'wrong_length',
          message: msg('delimiter_empty'),
          hint: msg('write_one_character'),
          path,
          at: node.mark,
        })
        return undefined
      }
      return shape.read(node, path, context)
    },
  }
}

const csvReadFields = object(
  {
    delimiter,
    header: withDefault(
      flag({
        description:
          'Whether the first line contains the column names. If not, columns are named `column0`, `column1`, and so on.',
      }),
      true,
    ),
    quote,
    escape,
    null_values: withDefault(
      listOf(text({ description: 'Text that is read as NULL.', minLength: 0, maxLength: 100 }), {
        description:
          'Texts that are read as NULL. In columns of type `string`, quoted ones stay text: `""` is empty text.',
        max: 20,
        unique: true,
        examples: [['', 'NA', 'null']],
      }),
      [''],
    ),
    quoted_nulls: withDefault(
      flag({
        description: 'Whether quoted `null_values` are also NULL, even in columns of type `string`.',
      }),
      false,
    ),
    encoding: withDefault(
      choice('Character encoding of the files.', {
        'utf-8': 'UTF-8, with or without byte order mark.',
        'utf-16': 'UTF-16. The byte order mark, or else the first line end, says which byte order.',
        'utf-16be': 'UTF-16, big-endian, without a byte order mark.',
        'latin-1': 'ISO 8859-1.',
        'windows-1250': 'Windows, Central Europe.',
        'windows-1251': 'Windows, Cyrillic.',
        'windows-1252': 'Windows, Western Europe; used by most files called Latin-1 or ANSI.',
        'windows-1253': 'Windows, Greek.',
        'windows-1254': 'Windows, Turkish.',
        'iso-8859-2': 'ISO 8859-2, Central Europe.',
        'iso-8859-15': 'ISO 8859-15: Latin-1 with the euro sign.',
        shift_jis: 'Shift JIS, Japanese.',
        'euc-jp': 'EUC-JP, Japanese.',
        'euc-kr': 'EUC-KR, Korean.',
        gb18030: 'GB 18030, Chinese; includes GBK and GB 2312.',
        big5: 'Big5, traditional Chinese.',
      }),
      'utf-8',
    ),
    skip_lines: withDefault(
      number({
        description:
          'Lines to skip before the header, whatever they contain. Empty lines before a header are skipped, too.',
        integer: true,
        min: 0,
        max: 1_000_000,
      }),
      0,
    ),
    decimal: optional({
      ...decimalMark,
      schema: { ...decimalMark.schema, default: '.' },
    }),
    thousands: optional(thousandsMark),
    date_format: optional(momentPattern('date', 'Format of dates in the files. By default ISO 8601.')),
    datetime_format: optional(
      momentPattern('datetime', 'Format of dates with a time in the files. By default ISO 8601.'),
    ),
  },
  { noun: msg('named', { name: 'csv' }), description: 'Format of the CSV files.' },
)

export const csvReadShape: Shape<CsvReadOptions> = {
  schema: csvReadFields.schema,
  read(node, path, context) {
    const read = csvReadFields.read(node, path, context)
    if (!read) return undefined
    const { decimal, thousands, date_format: date, datetime_format: datetime, ...options } = read
    const isPlain = (decimal ?? '.') === '.' && thousands === undefined
    const numbers = isPlain ? null : readMarks(decimal, thousands, node, path, context)
    if (numbers === undefined) return undefined
    if (numbers === null && date === undefined && datetime === undefined) return options
    return { ...options, formats: { numbers, date: date ?? null, datetime: datetime ?? null } }
  },
}

export const csvWriteShape = object(
  {
    delimiter,
    header: withDefault(flag({ description: 'Whether the first line contains the column names.' }), true),
    quote,
    escape,
    null_value: withDefault(
      text({
        description: 'Text to write for NULL. A value with the same text is quoted: empty text is written as `""`.',
        minLength: 0,
        maxLength: 100,
      }),
      '',
    ),
  },
  { noun: msg('named', { name: 'csv' }), description: 'Format of the CSV file.' },
)

export function csvReadOptions(written: CsvReadOptions | undefined, byExtension: string): CsvReadOptions {
  const options: CsvReadOptions = written ?? {
    delimiter: '',
    header: true,
    quote: '"',
    escape: '"',
    null_values: [''],
    quoted_nulls: false,
    encoding: 'utf-8',
    skip_lines: 0,
  }
  return { ...options, delimiter: options.delimiter || byExtension }
}

export function csvWriteOptions(written: CsvWriteOptions | undefined, byExtension: string): CsvWriteOptions {
  const options: CsvWriteOptions = written ?? { delimiter: '', header: true, quote: '"', escape: '"', null_value: '' }
  return { ...options, delimiter: options.delimiter || byExtension }
}
