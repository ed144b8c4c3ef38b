import type { Column } from '../../../contract/common.ts'
import type { Static } from 'typebox'
import type { Diagnostic } from '../../../contract/task-preview.ts'
import type { Segment } from '../../../language/editor/schema-walk.ts'

export interface ConnectorName {
  name: string
  type: string
}

/** A table, file, collection or entity set behind a connector. */
export interface ResourceName {
  name: string
  kind: string
}

/** What the page around the editor knows and the text alone does not tell. */
export interface EditorKnowledge {
  connectors: readonly ConnectorName[]
  /** Columns that can be named at a place of the document, from the last preview. */
  columnsAt(path: readonly Segment[]): readonly Column[]
  /** What lies behind the connector that is bound to a slot; nothing where none is, or it cannot be asked. */
  resources(slot: string): Promise<readonly ResourceName[]>
}

type Found = Static<typeof Diagnostic>
/** A finding to be underlined: the language's, or what a step said when it ran. */
export type TextFinding = Omit<Found, 'code' | 'params'> & Partial<Pick<Found, 'code' | 'params'>>

export const knowsNothing: EditorKnowledge = {
  connectors: [],
  columnsAt: () => [],
  resources: async () => [],
}
