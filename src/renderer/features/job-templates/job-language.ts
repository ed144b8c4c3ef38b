import type { EditorLanguage } from '../../ui/code/editor-language.ts'

export const jobLanguage: EditorLanguage = () => []
