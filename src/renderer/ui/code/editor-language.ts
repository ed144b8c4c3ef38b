import type { Extension } from '@codemirror/state'
import type { EditorKnowledge } from './editor-knowledge.ts'
import { taskHover } from './language-support.ts'
import { taskCompletion } from './task-completion.ts'

/** Completion and hover for one kind of document. */
export type EditorLanguage = (knowledge: () => EditorKnowledge) => Extension

export const taskLanguage: EditorLanguage = (knowledge) => [taskCompletion(knowledge), taskHover(knowledge)]
