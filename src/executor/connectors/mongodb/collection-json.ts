import { shortened } from '../../../language/shortened.ts'
import type { MongoDriver } from './client.ts'
import { isHeld } from '../../sources/number-facts.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** A value that MongoDB cannot keep without loss; the row is added where it is known. */
export class UnfitValue extends Error {
  readonly reason: Message
  readonly hint: Message

  constructor(reason: Message, hint: Message) {
    super(reason.message)
    this.name = 'UnfitValue'
    this.reason = reason
    this.hint = hint
  }
}

/** There may be a number that JavaScript or 32 bits cannot hold. */
const longNumber = /\d{10}|[\d.]{16}|[eE][+-]?\d{2}/

/** The driver takes objects with this field for its own values; as a map they stay what they are. */
const driversMark = '_bsontype'

/** What `JSON.parse` tells of a value's place; newer than the types of this TypeScript. */
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown

/** JSON text as a document: every digit of a number is kept, as an int, a long, a double or a decimal. */
export function createJsonReader({ Long, Decimal128, Double }: MongoDriver): (text: string) => unknown {
  const exact: Reviver = (_key, value, { source }) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, driversMark))
      return new Map(Object.entries(value))
    if (typeof value !== 'number' || source === undefined) return value
    if (/^-?\d+$/.test(source)) {
      const whole = BigInt(source)
      if (BigInt.asIntN(32, whole) === whole) return value
      return BigInt.asIntN(64, whole) === whole ? Long.fromBigInt(whole) : decimal(source, Decimal128)
    }
    return isHeld(source) ? new Double(value) : decimal(source, Decimal128)
  }
  return (text) => {
    try {
      return longNumber.test(text) || text.includes(driversMark)
        ? JSON.parse(text, exact as (key: string, value: unknown) => unknown)
        : JSON.parse(text)
    } catch (error) {
      if (error instanceof UnfitValue) throw error
      throw new UnfitValue(runMessage('json_value_unreadable'), runMessage('json_value_unreadable_fix'))
    }
  }
}

const mostDigits = 34

export function decimal(written: string, Decimal128: MongoDriver['Decimal128']): unknown {
  const digits = written.replace(/[^\d]/g, '').replace(/^0+/, '').length
  if (digits <= mostDigits) return Decimal128.fromString(written)
  throw new UnfitValue(
    runMessage('too_many_digits', { value: shortened(written, 60), digits, most: mostDigits }),
    runMessage('too_many_digits_fix'),
  )
}
