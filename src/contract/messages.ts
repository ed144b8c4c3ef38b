import { bundles } from './messages/bundles.ts'
import { channels } from './messages/channels.ts'
import { connectors } from './messages/connectors.ts'
import { fields } from './messages/fields.ts'
import { jobs } from './messages/jobs.ts'
import { people } from './messages/people.ts'
import { requests } from './messages/requests.ts'
import { server } from './messages/server.ts'
import { tasks } from './messages/tasks.ts'
import { triggers } from './messages/triggers.ts'
import { fillIn } from './messages/fill-in.ts'

/** Every message that the interface gives with an error, by its code: lower case, stable, told in English here. A window has them in other languages. */
export const texts = {
  ...requests,
  ...fields,
  ...people,
  ...server,
  ...connectors,
  ...channels,
  ...tasks,
  ...jobs,
  ...triggers,
  ...bundles,
}
export type MessageCode = keyof typeof texts

type Names<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}` ? Name | Names<Rest> : never
type Params<Code extends MessageCode> = Readonly<
  Record<Names<(typeof texts)[Code]>, string | number | readonly string[] | Message>
>

/** What is wrong, for programs and for people. */
export interface Message {
  code: string
  /** What the text was made with, by name; a reason may be a message of its own. */
  params: Readonly<Record<string, unknown>>
  /** In English. */
  message: string
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value && 'message' in value

export function msg<Code extends MessageCode>(
  code: Code,
  ...[given]: [Names<(typeof texts)[Code]>] extends [never] ? [] : [params: Params<Code>]
): Message {
  const params = given ?? {}
  return {
    code,
    params,
    message: fillIn(texts[code], params, (value) => (isMessage(value) ? value.message : String(value))),
  }
}
