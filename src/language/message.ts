import { fillIn } from './fill-in.ts'

/** What is wrong, for programs and for people. */
export interface Message {
  code: string
  /** What the text was made with, by name; a part that is itself words is a message of its own. */
  params: Readonly<Record<string, unknown>>
  /** In English. */
  message: string
}

/** Parameters that say which text an error was made with (`reason`) and what to do about it (`fix`), beside those of the text. */
export const reasonParams = (reason: Message, fix: Message | undefined): Readonly<Record<string, unknown>> => ({
  reason: reason.code,
  ...reason.params,
  ...(fix && { fix }),
})

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value && 'message' in value

/** A finding as a part of a message. */
export function asMessage({ params, message }: Pick<Message, 'params' | 'message'>): Message {
  const { reason, fix: _, ...own } = params
  return { code: String(reason), params: own, message }
}

/** Without what stands beside it, such as the place of a problem. */
export const plainMessage = ({ code, params, message }: Message): Message => ({ code, params, message })

/** Two messages in one text: those of executors come without a full stop, those of diagnostics with one. */
export const inOne = (message: string, next: string): string =>
  `${message}${/[.!?…]$/.test(message) ? '' : '.'} ${next}`

export type Names<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}`
  ? Uncapitalize<Name extends `${infer Bare}:${string}` ? Bare : Name> | Names<Rest>
  : never
type Params<Text extends string> = Readonly<
  Record<Names<Text>, string | number | readonly string[] | Message | readonly Message[]>
>

/** Makes messages of a catalog of texts: the code of one, and its parameters. */
export const messagesOf =
  <const Texts extends Readonly<Record<string, string>>>(texts: Texts) =>
  <Code extends keyof Texts & string>(
    code: Code,
    ...[given]: [Names<Texts[Code]>] extends [never] ? [] : [params: Params<Texts[Code]>]
  ): Message => {
    const params = given ?? {}
    return {
      code,
      params,
      message: fillIn(texts[code] as string, params, inEnglish),
    }
  }

function inEnglish(value: unknown, _: string, isCount: boolean): string {
  if (isMessage(value)) return value.message
  return isCount && typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 20 })
    : String(value)
}
