/** What the server, the languages and executors say, by its code, in the language of the window. English comes with it. */
import { fillIn } from '../../language/fill-in.ts'
import { isMessage } from '../../language/message.ts'
import type { MessageCode as FindingCode } from '../../language/messages.ts'
import type { MessageCode } from '../../contract/messages.ts'
import type { RunMessageCode } from '../../contract/run-messages.ts'
import { type ServerTexts, setServerTexts } from './server-texts.ts'
import { dateText, exactNumber } from '../ui/format.ts'

type Texts = Readonly<Record<string, string>>

/** By the code of a message. */
export type Words = Readonly<Partial<Record<MessageCode, string>>>
export type FindingWords = Readonly<Record<FindingCode | RunMessageCode, string>>

export interface Catalog {
  /** Of settings, connectors and galleries. */
  readonly texts: ServerTexts
  readonly gallery: Readonly<Record<string, { title: string; description: string }>>
  readonly operations: Readonly<Record<string, { name: string; summary?: string }>>
  readonly entities: Texts
  /** What the server refuses something with, by its own code, and by that of the answer or a keyword of JSON Schema. */
  readonly messages: Words
  readonly errors: Texts
  /** Diagnostics and errors of runs, their hints, and the words in them. */
  readonly findings: FindingWords
  /** States, roles and the like, which messages have as parameters. */
  readonly words: Texts
  /** Of the code editor itself. */
  readonly editor: Texts
}

type Patterns = Readonly<Record<string, string | undefined>>

let messages: Patterns = {}
let findings: Patterns = {}
let known: Catalog | null = null

/** null: English, as it comes. */
export function setCatalog(catalog: Catalog | null): void {
  known = catalog
  messages = { ...catalog?.errors, ...catalog?.messages }
  findings = catalog?.findings ?? {}
  setServerTexts(catalog ? { ...catalog.texts, gallery: catalog.gallery } : undefined)
}

/** Parameters of messages that are words, not data. */
const wordedParams = new Set('status role kind owner field file_format'.split(' '))

interface Coded {
  code?: string | null
  params?: Readonly<Record<string, unknown>> | null
  message: string
}

/** A message of the server or a diagnostic by its code; its English, where there are no words for that. */
export function translateMessage({ code: given, params: made, message }: Coded): string {
  const [code, params] = [given ?? '', made ?? {}]
  // A diagnostic has the code of its kind; `reason` is that of its text.
  const pattern =
    messages[code] ?? findings[String(params['reason'])] ?? messages[String(params['reason'])] ?? findings[code]
  if (pattern === undefined) return message
  const text = fillIn(pattern, params, shown)
  // The message of a diagnostic within a detail of a refusal ends with its hint, as that of a run does.
  const fixes = [params['fix']].flat().filter(isMessage)
  return fixes.length > 0 && message.endsWith(fixes.at(-1)?.message ?? '')
    ? [/[.!?…]$/.test(text) ? text : `${text}.`, ...fixes.map(translateMessage)].join(' ')
    : text
}

/** Why a row was rejected. */
export const translateReason = ({ reason: message, ...coded }: Omit<Coded, 'message'> & { reason: string }): string =>
  translateMessage({ ...coded, message })

interface Failed {
  error_message: string | null
  error_params: Readonly<Record<string, unknown>> | null
}

/** Why a run, a task of a job run or a job run failed, with what to do about it. */
export const translateError = ({ error_message, error_params }: Failed): string | null =>
  translateKept(error_message, error_params)

/** Why the task failed for which a job run did, without saying once more that it failed; null: it is no such failure. */
export function translateCause(params: Coded['params']): string | null {
  if (!/^task_failed(_stops)?_with$/.test(String(params?.['reason']))) return null
  const cause = params?.['cause']
  return isMessage(cause) ? translateMessage(cause) : typeof cause === 'string' ? cause : null
}

/** Texts about times of the server, which are UTC in them. */
const timedReasons = new Set(['metric_overdue', 'metric_never_written'])

/** A text that was kept with a record, by the parameters that were kept with it. */
export function translateKept(message: string | null, params: Coded['params']): string | null {
  if (message === null) return null
  const text = translateMessage({ message, params: params ?? null })
  if (!timedReasons.has(String(params?.['reason']))) return text
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => dateText(new Date(at), 'momentInZone'))
}

/** The hint of a finding: by its code, then what else is said. */
export function translateHint({ params, hint = '' }: { params?: Coded['params']; hint?: string }): string {
  const fix = params?.['fix']
  if (!isMessage(fix)) return hint
  return hint === '' || hint === fix.message ? translateMessage(fix) : `${translateMessage(fix)} ${hint}`
}

function shown(value: unknown, name: string, isCount: boolean): string {
  if (isMessage(value)) return translateMessage(value)
  if (isCount && typeof value === 'number') return exactNumber(value)
  const text = String(value)
  return (wordedParams.has(name) ? known?.words[text] : undefined) ?? text
}

/** The label of a step or of a stage. */
export const translateLabel = ({ label: message, ...coded }: Omit<Coded, 'message'> & { label: string }): string =>
  translateMessage({ ...coded, message })

/** What happens to values that arrive differently. */
export const translateChange = ({ change: message, ...coded }: Omit<Coded, 'message'> & { change: string }): string =>
  translateMessage({ ...coded, message })

export const operationText = (id: string): { name: string; summary?: string } | undefined => known?.operations[id]
export const entityText = (entity: string): string | undefined => known?.entities[entity]

/** The code editor's own words, as it wants them. */
export const editorWords = (): Texts => known?.editor ?? {}
