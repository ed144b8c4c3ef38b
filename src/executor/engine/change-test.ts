import type { Message } from '../../language/message.ts'

/** Values of a column that arrive differently. */
export interface ChangeTest {
  /** A column of the stream. */
  column: string
  change: Message
  /** SQL over the stream's columns: true for such a value, never for NULL. */
  when: string
  /** The same of a value on its way into a target that takes rows from our hands. */
  holds?: (value: unknown) => boolean
}
