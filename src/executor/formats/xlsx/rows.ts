import type { FieldValue } from '../../sources/record-values.ts'
import { fromIso, fromSerial } from './dates.ts'
import { columnIndex } from './columns.ts'
import { mergedRange, type MergedRange } from './merged.ts'
import type { Workbook } from './workbook.ts'
import { XmlError, attribute, readXml } from './xml.ts'

export interface SheetRow {
  /** As Excel counts, from 1. */
  number: number
  /** By column, from 0; empty ones are missing. null: there is something that cannot be read as a value. */
  cells: FieldValue[]
}

/** What cannot be read as a value, counted. */
export interface SheetRemarks {
  /** `#N/A` and the like, by their names. */
  errors: Map<string, number>
  /** Formulas without a stored result. */
  unknown: number
}

/** Rows that hold something, in order; then `merged` has the ranges that stand behind them. `take` says whether more are wanted; it is awaited now and then, so that rows do not pile up. */
export async function readSheet(
  bytes: AsyncIterable<Uint8Array>,
  workbook: Workbook,
  remarks: SheetRemarks,
  merged: MergedRange[],
  take: (rows: SheetRow[]) => Promise<boolean>,
): Promise<void> {
  let rows: SheetRow[] = []
  let row: SheetRow = { number: 0, cells: [] }
  let column = -1
  let attributes = ''
  let formula = false
  let text: string | null = null
  let capturing = false
  let phonetic = false
  await readXml(
    bytes,
    {
      open(name, given) {
        if (name === 'row') {
          row = { number: Number(attribute(given, 'r') ?? row.number + 1), cells: [] }
          column = -1
        } else if (name === 'c') {
          const place = attribute(given, 'r')
          column = place === undefined ? column + 1 : columnIndex(place)
          attributes = given
          formula = false
          text = null
        } else if (name === 'v' || (name === 't' && !phonetic)) {
          capturing = true
          text ??= ''
        } else if (name === 'rPh') phonetic = true
        else if (name === 'f') formula = true
        else if (name === 'mergeCell') {
          const range = mergedRange(given)
          if (range) merged.push(range)
        }
      },
      text(words) {
        if (capturing) text += words
      },
      close(name) {
        if (name === 'v' || name === 't') capturing = false
        else if (name === 'rPh') phonetic = false
        else if (name === 'c') {
          if (formula && isWithoutResult(text, attributes)) {
            remarks.unknown++
            row.cells[column] = null
          } else if (text !== null) row.cells[column] = cellValue(text, attributes, workbook, remarks)
        } else if (name === 'row' && row.cells.some((value) => value !== undefined)) rows.push(row)
      },
    },
    async () => {
      if (rows.length === 0) return true
      const done = rows
      rows = []
      return take(done)
    },
  )
}

/** Programs that do not calculate leave `<v/>`, or no value. An empty text is a result. */
const isWithoutResult = (text: string | null, attributes: string): boolean =>
  text === null || (text.trim() === '' && !['str', 'inlineStr'].includes(attribute(attributes, 't') ?? 'n'))

/** undefined: the cell shows nothing. */
function cellValue(text: string, attributes: string, workbook: Workbook, remarks: SheetRemarks): FieldValue {
  switch (attribute(attributes, 't') ?? 'n') {
    case 's': {
      const shared = workbook.strings.get(Number(text))
      if (shared === undefined) throw new XmlError(`a cell refers to text ${text.slice(0, 20)}, which there is not`)
      return unescapeControls(shared)
    }
    case 'inlineStr':
      return unescapeControls(text)
    // A formula that gives no text shows an empty cell: `=IF(A1=0, "", A1)`.
    case 'str':
      return text === '' ? undefined : unescapeControls(text)
    case 'b':
      return text.trim() === '1' || text.trim() === 'true'
    case 'e':
      remarks.errors.set(text, (remarks.errors.get(text) ?? 0) + 1)
      return null
    case 'd':
      return fromIso(text.trim())
    default:
      return numberValue(text.trim(), workbook.formats[Number(attribute(attributes, 's') ?? 0)] ?? 'number', workbook)
  }
}

function numberValue(text: string, kind: Workbook['formats'][number], { date1904 }: Workbook): FieldValue {
  if (text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw new XmlError(`a cell holds “${text.slice(0, 40)}”, which is no number`)
  const moment = fromSerial(value, kind, date1904)
  if (moment) return moment
  return /^-?\d{16,}$/.test(text) ? BigInt(text) : value
}

/** Characters that XML cannot hold stand as `_x0007_`. */
function unescapeControls(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
