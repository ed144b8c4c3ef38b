/** What is said in English elsewhere (by the server, the languages, executors), in the language of the window. */
import { fillIn } from '../../language/fill-in.ts'
import { isMessage } from '../../language/message.ts'
import type { MessageCode as FindingCode } from '../../language/messages.ts'
import type { MessageCode } from '../../contract/messages.ts'
import { type Phrases, labelBook, phraseBook } from './phrases.ts'
import { type ServerTexts, setServerTexts } from './server-texts.ts'
import type { RunMessageCode } from '../../contract/run-messages.ts'
import { numberText } from '../ui/format.ts'

/** By the code of a message. */
export type Words = Readonly<Partial<Record<MessageCode, string>>>
export type FindingWords = Readonly<Record<FindingCode | RunMessageCode, string>>

export interface Said {
  /** Whole texts: settings, connectors, galleries, operations. */
  readonly texts: ServerTexts
  /** What the server refuses something with, and what stands in it for words of ours: states, roles. */
  readonly messages: Words
  /** Diagnostics and errors of runs, their hints, and the words in them. */
  readonly findings: FindingWords
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
let findings: Readonly<Record<string, string | undefined>> = {}
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
  findings = known?.findings ?? {}
  words = known?.words ?? {}
  editor = known?.editor ?? {}
}

/** A finding or a refusal; English where there are no words for it. */
export const said = (text: string): string => sentence(text) ?? text

/** Parameters of messages that are words or sentences, not data. */
export const wordedParams = new Set('status role wanted kind owner field problem reason fix'.split(' '))

interface Told {
  code?: string | null
  params?: Readonly<Record<string, unknown>> | null
  message: string
}

/** A message of the server or a diagnostic by its code; its sentence as it is said, where there is no code for it. */
export function messageSaid({ code: given, params: known, message }: Told): string {
  const [code, params] = [given ?? '', known ?? {}]
  // A diagnostic has the code of its kind; `reason` is that of its text.
  const pattern = messages[code] ?? findings[String(params['reason'])] ?? findings[code]
  if (pattern === undefined) return said(message)
  const text = fillIn(pattern, params, shown)
  // The message of a diagnostic within a detail of a refusal ends with its hint, as that of a run does.
  const fixes = [params['fix']].flat().filter(isMessage)
  return fixes.length > 0 && message.endsWith(fixes.at(-1)?.message ?? '')
    ? [/[.!?…]$/.test(text) ? text : `${text}.`, ...fixes.map(messageSaid)].join(' ')
    : text
}

/** Why a row was rejected. */
export const reasonSaid = ({ reason: message, ...coded }: Omit<Told, 'message'> & { reason: string }): string =>
  messageSaid({ ...coded, message })

interface Failed {
  error_message: string | null
  error_params: Readonly<Record<string, unknown>> | null
}

/** Why a run, a task of a job run or a job run failed, with what to do about it. */
export const errorSaid = ({ error_message: message, error_params: params }: Failed): string | null =>
  message === null ? null : messageSaid(params ? { message, params } : { message })

/** The hint of a finding: by its code, then what else is said. */
export function hintSaid({ params, hint }: { params?: Told['params']; hint?: string }): string {
  const fix = params?.['fix']
  if (!isMessage(fix)) return hint === undefined ? '' : said(hint)
  return hint === undefined || hint === fix.message ? messageSaid(fix) : `${messageSaid(fix)} ${said(hint)}`
}

function shown(value: unknown, name: string, isCount: boolean): string {
  if (isMessage(value)) return messageSaid(value)
  if (isCount && typeof value === 'number') return numberText(value)
  const text = String(value)
  return wordedParams.has(name) ? (words[text] ?? said(text)) : text
}

/** The label of a step or of a stage. */
export const labelSaid = (text: string): string => label(text) ?? text

/** The code editor's own words, as it wants them. */
export const editorWords = (): Phrases => editor
