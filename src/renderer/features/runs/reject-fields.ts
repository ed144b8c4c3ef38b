import type { RunReject } from '../../../contract/run-rejects.ts'
import { translateReason } from '../../i18n/translate.ts'
import { namesIn } from './fix-rejects.rules.ts'

/** Columns beyond which a row is better read by itself. */
const most = 60

/** Names of the fields of rejected rows, in order of appearance: rows of different steps have different ones. */
export function fieldsOf(rejects: readonly { row: Record<string, unknown> }[]): string[] {
  const names = new Set<string>()
  for (const { row } of rejects) {
    for (const name of Object.keys(row)) {
      if (names.size >= most) return [...names]
      names.add(name)
    }
  }
  return [...names]
}

/** Rows whose values say how wide a column is: those of the first page, so that no column moves while others arrive. */
const measured = 40

/** Pixels in which the name of a field and what the first rows hold can be read, within limits. */
export function fieldWidth(rejects: readonly { row: Record<string, unknown> }[], name: string): number {
  const longest = rejects.slice(0, measured).reduce((most, { row }) => {
    const value = row[name]
    return Math.max(most, typeof value === 'string' || typeof value === 'number' ? String(value).length : 0)
  }, name.length)
  return Math.min(260, Math.max(96, longest * 8 + 24))
}

type Rejected = Pick<RunReject, 'row' | 'reason' | 'code' | 'params'>

/** The fields that the reason is about are marked in the row. */
export const isShownByFields = ({ row, params }: Pick<Rejected, 'row' | 'params'>): boolean =>
  namesIn(params).some((name) => Object.hasOwn(row, name))

/** The name of the rule where the row shows what broke it; else why it was rejected, in full. */
export function briefReason(reject: Rejected): string {
  const name = reject.params?.['name']
  return typeof name === 'string' && isShownByFields(reject) ? name : translateReason(reject)
}

/** Pixels in which the reasons of the first rows can be read in two lines, within limits. */
export const reasonWidth = (reasons: readonly string[]): number =>
  Math.min(380, Math.max(200, ...reasons.slice(0, measured).map(({ length }) => length * 3.5 + 60)))

/** Written as a number is, without what marks a code: `12.5`, not `0012`. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?$/
export const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && number.test(value))

/** The fields that hold numbers: most of what is there, as one text among them may be why a row was set aside. */
export function numberFieldsOf(rejects: readonly { row: Record<string, unknown> }[]): string[] {
  return fieldsOf(rejects).filter((name) => {
    const values = rejects
      .map(({ row }) => row[name])
      .filter((value) => value !== undefined && value !== null && value !== '')
    return values.filter(isNumber).length * 2 > values.length
  })
}
