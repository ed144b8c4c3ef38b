/** What becomes of an entry of the history. Pure. */
import { type QueryHistoryEntry, mostHistoryCharacters } from '../../../contract/query-history.ts'
import type { ParameterValues } from './statements.rules.ts'
import type { ExplorerTab } from './tabs.ts'

type Entry = Pick<QueryHistoryEntry, 'text' | 'asked'>

/** A text of full length may have been cut: as it stands, it would be another query. */
export const isCut = ({ text, asked }: Entry): boolean => asked === null && text.length >= mostHistoryCharacters

/** The tab that an entry opens: as it was asked, in the builder or as text, with its values. */
export function tabOfEntry({ text, asked }: Entry, untitled: string): Omit<ExplorerTab, 'id' | 'connectorId'> {
  if (!asked) return { title: untitled, text, resource: null, presetId: null }
  const { definition, resource = null, parameters = {} } = asked
  const isVisual = definition.mode === 'visual'
  return {
    title: resource ?? untitled,
    text: isVisual ? '' : (definition.rawQuery ?? text),
    resource,
    presetId: null,
    definition,
    builder: isVisual,
    values: simpleValues(parameters),
  }
}

/** Those that the dialogs of parameters can hold; scripts may have sent others, which are asked for. */
const simpleValues = (parameters: Readonly<Record<string, unknown>>): ParameterValues =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value] as const]
        : [],
    ),
  )
