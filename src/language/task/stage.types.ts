import type { Message } from '../message.ts'

/** What a run of a task goes through, as people see it. */
export interface Stage {
  key: string
  label: Message
}
