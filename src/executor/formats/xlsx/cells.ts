import type { Column } from '../../../contract/common.ts'
import { EngineError } from '../../engine/errors.ts'
import { mostDigits } from '../../targets/file-changes.ts'
import { valueKindOf } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The rest of a cell behind its place, of a value as `textValue` writes it: ` t="b"><v>1</v></c>`. */
export type CellEncoder = (text: string, row: number) => string

/** Formats by their place in `styles`. */
export const headerStyle = 1
const [dateStyle, momentStyle, timeStyle] = [2, 3, 4]

export const styles =
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  [164, 165, 166]
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'

// Longer numbers are text, so that no digit gets lost.
/** Characters that a cell holds. */
const mostCharacters = 32_767
const dayMs = 86_400_000
/** From 1900-03-01 on day numbers are sound in every program; Excel's last day is in the year 9999. */
const [firstMoment, afterLast] = [Date.UTC(1900, 2, 1), Date.UTC(10_000, 0, 1)]
const dayZero = Date.UTC(1899, 11, 30)

export function cellEncoder(column: Column): CellEncoder {
  const asText: CellEncoder = (text, row) => {
    if (text.length > mostCharacters) throw tooLong(column.name, text.length, row)
    return ` t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
  }
  switch (valueKindOf(column.type)) {
    case 'integer':
    case 'decimal':
      return (text, row) => (digitsOf(text) > mostDigits ? asText(text, row) : `><v>${text}</v></c>`)
    case 'float':
      // Infinity and what is no number have no cell of their own.
      return (text, row) =>
        Number.isFinite(Number(text)) ? `><v>${text === '-0.0' ? text : Number(text)}</v></c>` : asText(text, row)
    case 'boolean':
      return (text) => ` t="b"><v>${text === 'true' ? 1 : 0}</v></c>`
    case 'date':
      return (text, row) => moment(`${text}T00:00:00`, dateStyle) ?? asText(text, row)
    case 'timestamp':
    case 'timestamptz':
      return (text, row) => moment(text.replace(/Z$/, ''), momentStyle) ?? asText(text, row)
    case 'time':
      return (text, row) => {
        const ms = /^\d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? toMs(`1970-01-01T${text}`) : Number.NaN
        return Number.isNaN(ms) ? asText(text, row) : ` s="${timeStyle}"><v>${ms / dayMs}</v></c>`
      }
    case 'blob':
    case 'json':
    case 'text':
      return asText
  }
}

function moment(text: string, style: number): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return null
  const ms = toMs(text)
  if (!(ms >= firstMoment && ms < afterLast)) return null
  return ` s="${style}"><v>${(ms - dayZero) / dayMs}</v></c>`
}

/** Excel shows no more than milliseconds: what is finer is no moment of its, but text. */
function toMs(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.replace(/0+$/, '').length > 3) return Number.NaN
  return Date.parse(`${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
}

function digitsOf(text: string): number {
  return text.replace(/^-?0*\.?0*|\./g, '').length
}

function tooLong(column: string, length: number, row: number): EngineError {
  return new EngineError(
    'FILE_UNWRITABLE',
    runMessage('cell_too_long', { column, length, row, most: mostCharacters }),
    { hint: runMessage('cell_too_long_fix') },
  )
}

/** Text as XML holds it; what it cannot hold stands as `_x0007_`, and so does what looks like that. */
export function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  if (!/[&<>"\u0000-\u001F\uFFFE\uFFFF]|_x[0-9A-Fa-f]{4}_/.test(text)) return text
  return (
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      // oxlint-disable-next-line no-control-regex -- as above
      .replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, (character) => {
        return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
      })
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
