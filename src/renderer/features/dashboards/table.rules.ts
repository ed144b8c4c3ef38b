/** Searching and sorting the rows of a table. Pure: numbers of any length are compared by their digits. */
import { columnsAt } from '../../../contract/query-cells.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import { type Cell, cellOf, isNumber, shownText } from '../../ui/grid/cell.rules.ts'
import { compareNames } from '../../ui/format.ts'

export interface TableRows {
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
}

/** Those columns, in this order; what isn’t there is left out. */
export function withColumns({ fields, rows }: TableRows, columns: readonly string[] | null): TableRows {
  if (!columns) return { fields, rows }
  const at = columnsAt(fields, columns)
  return { fields: at.map((index) => fields[index]!), rows: rows.map((row) => at.map((index) => row[index])) }
}

const textOf = (cell: Cell) => (typeof cell.text === 'string' ? shownText({ type: cell.type, text: cell.text }) : '')

export function searched({ fields, rows }: TableRows, search: string): TableRows {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { fields, rows }
  return {
    fields,
    rows: rows.filter((row) => {
      const text = fields.map(({ type }, at) => textOf(cellOf(row[at], type)).toLowerCase()).join('\n')
      return words.every((word) => text.includes(word))
    }),
  }
}

const plainNumber = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/

/** By the digits where both are plain numbers, else as near as a number comes. */
export function compareNumbers(a: string, b: string): number {
  const [one, other] = [plainNumber.exec(a), plainNumber.exec(b)]
  if (!one || !other) return Number(a) - Number(b) || 0
  const [, signA, wholeA = '', fractionA = ''] = one
  const [, signB, wholeB = '', fractionB = ''] = other
  if (signA !== signB) return signA ? -1 : 1
  const size = wholeA.length - wholeB.length
  const byDigits =
    size !== 0 ? size : wholeA + fractionA < wholeB + fractionB ? -1 : wholeA + fractionA > wholeB + fractionB ? 1 : 0
  return signA ? 0 - byDigits : byDigits
}

/** NULL comes last, whatever the order. */
export function sorted({ fields, rows }: TableRows, column: string, order: 'asc' | 'desc'): TableRows {
  const at = fields.findIndex(({ name }) => name === column)
  const field = fields[at]
  if (!field) return { fields, rows }
  const cells = new Map(rows.map((row) => [row, cellOf(row[at], field.type)]))
  const compare = (a: readonly unknown[], b: readonly unknown[]) => {
    const [one, other] = [cells.get(a)!, cells.get(b)!]
    const [x, y] = [one.text, other.text]
    if (typeof x !== 'string') return typeof y === 'string' ? 1 : 0
    if (typeof y !== 'string') return -1
    const by = isNumber(one.type) && isNumber(other.type) ? compareNumbers(x, y) : compareNames(x, y)
    return order === 'asc' ? by : -by
  }
  return { fields, rows: rows.toSorted(compare) }
}
