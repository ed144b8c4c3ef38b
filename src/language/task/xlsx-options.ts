import { object, withDefault } from '../shape/collections.ts'
import { choice, flag, number, text } from '../shape/scalars.ts'
import type { XlsxReadOptions } from './sources/source.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

/** Excel's own rules for the name of a sheet. */
function checkSheetName(name: string): TextProblem | null {
  const problem = /[[\]:*?/\\]/.test(name)
    ? msg('has_reserved_character')
    : name.startsWith("'") || name.endsWith("'")
      ? msg('has_outer_apostrophe')
      : null
  return problem && notASheetName(name, problem)
}

function notASheetName(name: string, problem: Message): TextProblem {
  return { code: 'invalid_value', message: msg('not_a_sheet_name', { name, problem }), hint: msg('write_sheet_name') }
}

/** Of a workbook that is written: Excel keeps this name for its own sheet of changes. */
function checkNewSheetName(name: string): TextProblem | null {
  return name.toLowerCase() === 'history' ? notASheetName(name, msg('is_reserved_by_excel')) : checkSheetName(name)
}

const sheetName = (description: string, check = checkSheetName): ReturnType<typeof text> =>
  text({ description, examples: ['Orders'], maxLength: 31, check })

/** '' until `xlsxReadOptions` has read it: the first sheet. */
const firstSheet = ''

export const xlsxReadShape = object(
  {
    sheet: withDefault(sheetName('Name of the sheet. By default the first one.'), firstSheet, null),
    header: withDefault(
      flag({
        description:
          'Whether the first row contains the column names. If not, columns are named `column1`, `column2`, and so on.',
      }),
      true,
    ),
    skip_rows: withDefault(
      number({ description: 'Rows to skip before the header.', integer: true, min: 0, max: 1_048_575 }),
      0,
    ),
    merged_cells: withDefault(
      choice('What the cells of a merged range contain.', {
        first: 'Only the first cell has the value, the others are NULL, as in the workbook. The log says how many.',
        repeat: 'Each cell has the value of the first one, also in the header.',
      }),
      'first',
    ),
  },
  { noun: msg('named', { name: 'xlsx' }), description: 'Which part of the workbook to read.' },
)

export const xlsxWriteShape = object(
  { sheet: withDefault(sheetName('Name of the sheet.', checkNewSheetName), 'Sheet1') },
  {
    noun: msg('named', { name: 'xlsx' }),
    description: 'Format of the workbook: one sheet, with the column names in its first row.',
  },
)

export function xlsxReadOptions(
  written: (Omit<XlsxReadOptions, 'sheet'> & { sheet: string }) | undefined,
): XlsxReadOptions {
  const { sheet = firstSheet, header = true, skip_rows = 0, merged_cells = 'first' } = written ?? {}
  return { sheet: sheet === firstSheet ? null : sheet, header, skip_rows, merged_cells }
}

export function xlsxWriteOptions(written: { sheet: string } | undefined): { sheet: string } {
  return { sheet: written?.sheet ?? 'Sheet1' }
}
