/** The document in an answer, and what the connectors know against a task. Pure. */
import type { AiFinding } from '../../../contract/ai.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { asksFor } from './asked.rules.ts'
import type { KnownSlot } from './prompt.rules.ts'

export interface Draft {
  /** null: the answer has none, or more than one. */
  text: string | null
  findings: AiFinding[]
}

const said = (answer: string) =>
  answer.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, '').replaceAll('\r\n', '\n')
// A fence is as long as it is, and a line is of one kind, so that no text can be tried in many ways.
const fenced = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))/gm

/** What is said around the blocks of an answer, and nothing that a model thinks aloud. */
export const proseOf = (answer: string): string =>
  said(answer)
    .replaceAll(fenced, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

const isDocument = (text: string) => /^(?:(?:#[^\n]*|[^\S\n]*|---)\n)*etl[ \t]*:/.test(text.trimStart())

/** The one draft of an answer: what a model thinks aloud and says around it is left out. */
export function onlyDraft(answer: string, isDraft: (text: string) => boolean): Draft {
  const text = said(answer)
  const blocks = [...text.matchAll(fenced)].map(([, , body = '']) => body).filter(isDraft)
  const found =
    blocks.length > 0 ? [...new Set(blocks.map((block) => block.trim()))] : isDraft(text) ? [text.trim()] : []
  const [only] = found
  if (only === undefined) return { text: null, findings: [finding(msg('ai_no_draft'))] }
  if (found.length > 1) return { text: null, findings: [finding(msg('ai_many_drafts'))] }
  return { text: only, findings: [] }
}

/** The one document of an answer. */
export function draftOf(answer: string): Draft {
  const { text, findings } = onlyDraft(answer, isDocument)
  return { text: text === null ? null : `${text}\n`, findings }
}

/** At a place of the document, or of no place in it. */
export const finding = (
  message: Message,
  path = '',
  at: Partial<Pick<AiFinding, 'line' | 'column'>> = {},
): AiFinding => {
  const { line = 1, column = 1 } = at
  return {
    severity: 'error',
    ...message,
    params: { ...message.params },
    path,
    line,
    column,
    end_line: line,
    end_column: column,
  }
}

/** What the parser cannot know: which slots there are, what they hold, and what was asked for. `before`: the text that is changed. */
export function knownFindings(
  parsed: ParsedTask,
  slots: readonly KnownSlot[],
  { prompt, before }: { prompt: string; before: ParsedTask | undefined },
): AiFinding[] {
  const known = new Map(slots.map((slot) => [slot.slot, slot]))
  const found: AiFinding[] = []
  for (const [name, { types }] of Object.entries(parsed.connector_refs)) {
    const slot = known.get(name)
    if (!slot) {
      if (!(name in (before?.connector_refs ?? {})))
        found.push(finding(msg('ai_slot_unknown', { slot: name }), `connectors.${name}`))
    } else if (!types.some((type) => type === slot.type))
      found.push(finding(msg('ai_slot_type', { slot: name, type: slot.type }), `connectors.${name}`))
  }
  const { task } = parsed
  if (task?.kind === 'pipeline') {
    for (const [path, source] of [['source', task.source] as const, ...Object.entries(task.inputs)]) {
      const slot = 'connector' in source ? known.get(source.connector) : undefined
      if (slot) found.push(...sourceFindings(path, source, slot))
    }
  }
  const uses: { key: string; isAsked: boolean }[] = [
    ...(parsed.kind === 'command' || parsed.kind === 'script'
      ? [{ key: `kind: ${parsed.kind}`, isAsked: asksFor('code', prompt) }]
      : []),
    ...(task && Object.values(task.hooks).some((hooks) => hooks.length > 0)
      ? [{ key: 'hooks', isAsked: asksFor('hooks', prompt) }]
      : []),
  ]
  for (const { key, isAsked } of uses) {
    const wasThere =
      before?.task &&
      (key === 'hooks'
        ? Object.values(before.task.hooks).some((hooks) => hooks.length > 0)
        : before.kind === parsed.kind)
    if (!isAsked && !wasThere) found.push(finding(msg('ai_not_asked', { key })))
  }
  return found
}

type Source = Extract<NonNullable<ParsedTask['task']>, { kind: 'pipeline' }>['source']

function sourceFindings(path: string, source: Source, slot: KnownSlot): AiFinding[] {
  if (source.kind !== 'sql' || source.read.kind !== 'table') return []
  const { table, columns } = source.read
  if (table.includes('${{')) return []
  const resource = slot.resources.find(({ name }) => name.toLowerCase() === table.toLowerCase())
  if (!resource)
    return !slot.all_listed ? [] : [finding(msg('ai_table_unknown', { slot: slot.slot, name: table }), path)]
  const names = resource.columns && new Set(resource.columns.map(({ name }) => name.toLowerCase()))
  return (columns ?? [])
    .filter((column) => names && !names.has(column.toLowerCase()))
    .map((column) => finding(msg('ai_column_unknown', { name: table, column }), path))
}

/** The same findings again mean that the model goes in circles. */
export const signatureOf = (findings: readonly AiFinding[]): string =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, params }) => `${code} ${path} ${JSON.stringify(params)}`)
    .toSorted()
    .join('\n')

/** Whether a preview reads nothing but files and complete tables, by no text that the model wrote. */
export function isPlainRead(parsed: ParsedTask): boolean {
  const { task } = parsed
  if (task?.kind !== 'pipeline') return false
  return [task.source, ...Object.values(task.inputs)].every(
    (source) =>
      source.kind === 'inline' || source.kind === 'files' || (source.kind === 'sql' && source.read.kind === 'table'),
  )
}
