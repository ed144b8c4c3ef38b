import {
  type CompletionContext,
  type CompletionResult,
  type Completion as EditorCompletion,
} from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { type Completion, completeTask } from '../../../language/complete.ts'
import { functions as expressionFunctions } from '../../../language/expressions/functions.ts'
import { shortText } from '../document/reading.ts'
import type { EditorKnowledge } from './editor-knowledge.ts'
import { renderMarkdown } from './markdown.ts'
import { functionMarkdown } from './sql-hover.ts'
import { type Place, placeAt, slotAt, sqlFunctions, sqlWords } from './sql-place.ts'

/** An offer of the language as the editor’s list shows it. */
export function toOption(completion: Completion, types: ReadonlyMap<string, string> = new Map()): EditorCompletion {
  const detail = (completion.kind === 'column' && types.get(completion.label)) || completion.detail
  return {
    label: completion.label,
    ...(detail ? { detail } : {}),
    type: completion.kind,
    apply: (view, _chosen, _from, to) => {
      // The language says what is replaced; the caret may have moved on since it was asked.
      const end = Math.max(to, Math.min(completion.to, view.state.doc.length))
      view.dispatch({
        changes: { from: completion.from, to: end, insert: completion.insert },
        selection: { anchor: completion.from + completion.insert.length },
        userEvent: 'input.complete',
      })
    },
    ...(completion.documentation ? { info: () => renderMarkdown(completion.documentation) } : {}),
  }
}

/** Keys, values, slots, arguments and connectors that fit at the caret; columns, tables, files and functions where they are named. */
export function taskCompletion(knowledge: () => EditorKnowledge): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w.$-]*/)
    if (!context.explicit && !offersHere(context, word)) return null
    const text = context.state.doc.toString()
    const place = placeAt(text, context.pos)
    const known = knowledge()
    const columns = known.columnsAt(place.cursor.path)
    const types = new Map(columns.map((column) => [column.name, column.type.toLowerCase()]))
    const found = completeTask(text, context.pos, {
      connectors: [...known.connectors],
      columns: columns.map((column) => column.name),
    })
    // A bind or an expression inside SQL is the language's own affair.
    const inside = found.some((one) => one.kind === 'bind' || one.kind === 'field' || one.kind === 'function')
    if (!inside && place.sql !== null) return sqlResult(context, text, place, known, types)
    const resources = inside ? [] : await resourceOptions(context, text, place, known)
    if (context.aborted) return null
    const from = found[0]?.from ?? (resources.length > 0 ? place.cursor.from : null)
    if (from === null) return null
    // What is typed is compared with the labels, and these have no quotes.
    const quote = /["']/.test(text[from] ?? '') && from < context.pos ? 1 : 0
    return {
      from: Math.min(from + quote, context.pos),
      options: [...resources, ...found.map((one) => toOption(one, types))],
      validFor: stillFits(text.slice(Math.min(from + quote, context.pos), context.pos)),
    }
  }
  return EditorState.languageData.of(() => [{ autocomplete: source }])
}

/** Offers were narrowed to what was typed: they hold while more is typed, not once letters of it are taken away. */
export const stillFits = (typed: string) => (text: string) => text.startsWith(typed) && /^[\w.$-]*$/.test(text)

/** Whether a letter that was typed asks for offers. In a long text each answer costs a reading of it: there only Ctrl-Space does. */
export const offersHere = (context: CompletionContext, word: { from: number; to: number } | null) =>
  context.state.doc.length <= shortText && ((word !== null && word.from < word.to) || afterSeparator(context))

/** `key: |`, `- |` and `[|` ask for a value as clearly as a typed letter does. */
function afterSeparator(context: CompletionContext): boolean {
  return context.matchBefore(/(?:: |- |\[|, |\{\{ ?)$/) !== null
}

/** Tables, files and collections behind the bound connector, for a value that is the name of one. */
async function resourceOptions(
  context: CompletionContext,
  text: string,
  { cursor }: Place,
  known: EditorKnowledge,
): Promise<EditorCompletion[]> {
  if (cursor.position !== 'value') return []
  const slot = slotAt(text, cursor.path)
  if (slot === null) return []
  const open = /^["']/.exec(cursor.prefix)?.[0] ?? ''
  const written = cursor.prefix.slice(open.length).toLowerCase()
  const names = await known.resources(slot)
  return names
    .filter((one) => one.name.toLowerCase().startsWith(written))
    .map((one) => ({
      label: one.name,
      detail: one.kind,
      type: 'resource',
      boost: 2,
      apply: (view) => {
        const insert = open === '' ? plainText(one.name) : one.name
        view.dispatch({
          changes: { from: cursor.from + open.length, to: context.pos, insert },
          selection: { anchor: cursor.from + open.length + insert.length },
          userEvent: 'input.complete',
        })
      },
    }))
}

const plainText = (name: string) => (/^[A-Za-z_][\w ./-]*$/.test(name) ? name : JSON.stringify(name))

async function sqlResult(
  context: CompletionContext,
  text: string,
  place: Place,
  known: EditorKnowledge,
  types: ReadonlyMap<string, string>,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/\$?[\w]*/)
  // A list of everything at every blank would be in the way; so would one inside a number or a text.
  if (!context.explicit && (!word || !/^[$A-Za-z_]/.test(word.text))) return null
  if (context.matchBefore(/:\w*$/) && !context.matchBefore(/::\w*$/)) return null
  const columns = [...types].map(([name, type]) => columnOption(name, type, place))
  const typed = word?.text.toLowerCase() ?? ''
  const fitting = (options: EditorCompletion[]): CompletionResult => ({
    from: word?.from ?? context.pos,
    // Letters strewn over a name are no match among hundreds of functions.
    options: options.filter((one) => one.label.toLowerCase().includes(typed)),
  })
  if (place.sql === 'jsonata') return fitting([...columns, ...jsonataOptions()])
  const slot = place.sql === 'other' ? slotAt(text, place.cursor.path) : null
  const tables = slot === null ? [] : await known.resources(slot)
  const streams = place.sql === 'duckdb' ? ['stream', ...place.cursor.keysAt(['inputs'])] : []
  const functions = place.sql === 'duckdb' ? await sqlFunctions() : []
  if (context.aborted) return null
  return fitting([
    ...columns,
    ...streams.map((name) => ({ label: name, type: 'resource', detail: 'rows', boost: 1 })),
    ...tables.map((one) => ({ label: one.name, type: 'resource', detail: one.kind, boost: 1 })),
    ...functions.map((one) => ({
      label: one.name,
      type: 'function',
      detail: one.signature.slice(one.name.length),
      apply: `${one.name}(`,
      info: () => renderMarkdown(functionMarkdown(one)),
    })),
    ...sqlWords.map((one) => ({ label: one, type: 'keyword', boost: -1 })),
  ])
}

function columnOption(name: string, type: string, { cursor, sql }: Place): EditorCompletion {
  return { label: name, detail: type, type: 'column', boost: 3, apply: columnText(name, cursor.prefix, sql) }
}

/** A column's name as it is written at a place: quoted where SQL asks for it, and so that YAML reads on. */
export function columnText(name: string, prefix: string, sql: Place['sql']): string {
  if (/^[a-z_]\w*$/i.test(name)) return name
  if (sql === 'jsonata') return `\`${name}\``
  const quoted = `"${name.replaceAll('"', '""')}"`
  if (prefix.startsWith('"')) return quoted.replaceAll('"', '\\"')
  // A value that begins with a quote is a quoted text to YAML.
  return /^\w*$/.test(prefix) ? `(${quoted})` : quoted
}

const jsonataOptions = () =>
  [...expressionFunctions].map(([name, one]): EditorCompletion => ({
    label: `$${name}`,
    type: 'function',
    detail: one.signature.slice(name.length + 1),
    apply: `$${name}(`,
    info: () => renderMarkdown(`**${one.signature}**\n\n${one.description}`),
  }))
