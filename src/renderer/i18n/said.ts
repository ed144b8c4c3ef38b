/** What is said in English elsewhere (by the server, the languages, executors), in the language of the window. */
import { fillIn } from '../../contract/messages/fill-in.ts'
import type { MessageCode } from '../../contract/messages.ts'
import { type Phrases, labelBook, phraseBook } from './phrases.ts'
import { type ServerTexts, setServerTexts } from './server-texts.ts'

/** By the code of a message. */
export type Words = Readonly<Partial<Record<MessageCode, string>>>

export interface Said {
  /** Whole texts: settings, connectors, galleries, operations. */
  readonly texts: ServerTexts
  /** What the server refuses something with, and what stands in it for words of ours: states, roles. */
  readonly messages: Words
  readonly words: Phrases
  /** Findings, and what is written down with records. */
  readonly sentences: Phrases
  readonly fragments: Phrases
  /** Of steps and stages. */
  readonly labels: Phrases
  /** Of the code editor itself. */
  readonly editor: Phrases
}

type Say = (text: string) => string | undefined

const english: Say = () => undefined
let sentence = english
let label = english
let messages: Readonly<Record<string, string | undefined>> = {}
let words: Phrases = {}
let editor: Phrases = {}

/** Sentences are looked up again and again: with every letter that is typed beside them. */
function remembered(say: Say): Say {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      if (known.size > 2_000) known.clear()
      known.set(text, say(text))
    }
    return known.get(text)
  }
}

/** null: nothing is put into another language. */
export function setSaid(known: Said | null): void {
  setServerTexts(known?.texts ?? {})
  sentence = known ? remembered(phraseBook(known.sentences, known.fragments)) : english
  label = known ? labelBook(known.labels) : english
  messages = known?.messages ?? {}
  words = known?.words ?? {}
  editor = known?.editor ?? {}
}

/** A finding or a refusal; English where there are no words for it. */
export const said = (text: string): string => sentence(text) ?? text

/** Parameters of messages that are words or sentences, not data. */
export const wordedParams = new Set('status role wanted kind owner field problem reason fix'.split(' '))

interface Told {
  code?: string
  params?: Readonly<Record<string, unknown>>
  message: string
}

/** A message of the server by its code; its sentence as it is said, where there is no code for it. */
export function messageSaid({ code = '', params = {}, message }: Told): string {
  const known = messages[code]
  return known === undefined ? said(message) : fillIn(known, params, shown)
}

function shown(value: unknown, name: string): string {
  // The server's own messages are such.
  if (typeof value === 'object' && value !== null && 'message' in value) return messageSaid(value as Told)
  const text = String(value)
  return wordedParams.has(name) ? (words[text] ?? said(text)) : text
}

/** The label of a step or of a stage. */
export const labelSaid = (text: string): string => label(text) ?? text

/** The code editor's own words, as it wants them. */
export const editorWords = (): Phrases => editor
