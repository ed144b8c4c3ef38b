import { findFilterBinds } from '../../../language/task/odata-filter.ts'
import type { Binds, Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { memberOf, primitiveOf, type ODataModel, type StructuredType } from './model.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A filter with its binds written as literals, each of the type of the property that it is compared with. */
export function writeFilter(filter: string, params: Binds, model: ODataModel, type: StructuredType | null): string {
  let written = ''
  let at = 0
  for (const { name, start, end } of findFilterBinds(filter)) {
    const beside = propertyBeside(filter, start, end)
    const found = beside === null || type === null ? null : resolve(filter, beside, model, type)
    written += filter.slice(at, start) + literal(params[name] ?? null, found, beside !== null, name)
    at = end
  }
  return written + filter.slice(at)
}

const propertyPath = String.raw`[\p{L}_][\p{L}\p{N}_./]*`
const before = new RegExp(
  String.raw`(${propertyPath})\s+(?:eq|ne|gt|ge|lt|le)\s+$|(${propertyPath})\s+in\s+(?:\([^()]*)?$`,
  'u',
)
const after = new RegExp(String.raw`^\s+(?:eq|ne|gt|ge|lt|le)\s+(${propertyPath})(?![\p{L}\p{N}_(])`, 'u')

/** The property that is compared with what stands from `start` to `end`. */
function propertyBeside(filter: string, start: number, end: number): string | null {
  // Names are short: what is further away is not looked at, which keeps a long filter quick.
  const found = before.exec(filter.slice(Math.max(0, start - 2000), start)) ?? after.exec(filter.slice(end, end + 500))
  return found?.[1] ?? found?.[2] ?? null
}

/** The type of `Customer/name`, or of `i/qty` where `i` stands for the items of a lambda. */
function resolve(filter: string, path: string, model: ODataModel, type: StructuredType): string | null {
  const [first = '', ...rest] = path.split('/')
  const collection = new RegExp(String.raw`(${propertyPath})/(?:any|all)\(\s*${first}\s*:`, 'u').exec(filter)?.[1]
  const parts =
    memberOf(model, type, first) === null && collection !== undefined
      ? [...collection.split('/'), ...rest]
      : [first, ...rest]
  let at: StructuredType | undefined = type
  let found: string | null = null
  for (const part of parts) {
    if (part.includes('.')) {
      at = model.types.get(part)
      continue
    }
    found = at ? (memberOf(model, at, part)?.type ?? null) : null
    at = found === null ? undefined : model.types.get(found)
  }
  if (found === null) return null
  return model.enums.has(found) ? `enum ${found}` : primitiveOf(model, found)
}

const moment = /^(-?\d{4,})-(\d\d)-(\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/
const day = /^-?\d{4,}-\d\d-\d\d$/

function literal(value: Json, type: string | null, compared: boolean, name: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `(${value.map((item) => literal(item, type, compared, name)).join(',')})`
  if (typeof value === 'object') throw unfit(name, 'an object', 'a value')
  if (type !== null) return typed(value, type, name)
  if (typeof value !== 'string') return String(value)
  // Nobody says what it is compared with: a whole moment is taken as one, anything else is text.
  return compared && moment.test(value) && /(Z|[+-]\d\d:\d\d)$/.test(value) ? momentText(value) : quoted(value)
}

function typed(value: string | number | boolean, type: string, name: string): string {
  const text = String(value)
  const fits = (pattern: RegExp, wanted: string, write: (text: string) => string = (same) => same): string => {
    if (pattern.test(text)) return write(text)
    throw unfit(name, `“${text.slice(0, 100)}”`, wanted)
  }
  if (type.startsWith('enum '))
    return fits(/^[\p{L}\p{N}_, -]+$/u, 'a member of an enumeration', (member) => `${type.slice(5)}'${member}'`)
  switch (type) {
    case 'Edm.String':
      return quoted(text)
    case 'Edm.Boolean':
      return fits(/^(true|false)$/, 'true or false')
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
      return fits(/^[+-]?\d+$/, 'a whole number')
    case 'Edm.Decimal':
    case 'Edm.Double':
    case 'Edm.Single':
      return fits(/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$|^-?INF$|^NaN$/, 'a number')
    case 'Edm.Guid':
      return fits(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a UUID')
    case 'Edm.Date':
      return day.test(text) ? text : fits(moment, 'a date', (written) => /^[^T ]+/.exec(written)?.[0] ?? written)
    case 'Edm.DateTimeOffset':
      return day.test(text) ? `${text}T00:00:00Z` : fits(moment, 'a moment', momentText)
    case 'Edm.TimeOfDay':
      return fits(/^\d\d:\d\d(:\d\d(\.\d+)?)?$/, 'a time of day')
    case 'Edm.Duration':
      return fits(/^-?P[0-9DTHMS.]+$/, 'a duration', (written) => `duration'${written}'`)
    case 'Edm.Binary':
      return fits(/^[A-Za-z0-9_=-]*$/, 'bytes in base64url', (written) => `binary'${written}'`)
    default:
      return quoted(text)
  }
}

/** Without an offset it is UTC; OData wants seconds. */
function momentText(text: string): string {
  const [, year = '', month = '', date = '', time = '', zone = 'Z'] = moment.exec(text) ?? []
  return `${year}-${month}-${date}T${time.length === 5 ? `${time}:00` : time}${zone}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function unfit(name: string, value: string, wanted: string): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('filter_argument_misfit', { name, value, expected: wanted }), {
    hint: runMessage('filter_argument_misfit_fix'),
  })
}
