import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { partAt } from '../../../language/yaml/document-part.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import type { YamlEditorProps } from '../../ui/code/YamlEditor.tsx'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { type AiKind, aiKinds } from './ai-kinds.ts'

/** The only part of a text that a proposal may change; a new object each time it is asked for. */
export interface AiPart {
  path: string
}

interface PartOptions {
  kind: AiKind
  text: Pick<DocumentText, 'text' | 'setText'>
  /** Of the caret, from 1. */
  line: number
  readOnly: boolean
  /** Shows the panel. */
  onOpen: () => void
}

/** What the panel beside a text needs; a command and a key of the editor open it for the part at the caret. */
export function useAiPart({ kind, text, line, readOnly, onOpen }: PartOptions) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const [part, setPart] = useState<AiPart | null>(null)
  const allowed = !readOnly && can(aiKinds[kind].generate.id)
  const run = () => {
    const path = partAt(text.text, line)
    setPart(path === null ? null : { path })
    onOpen()
  }
  useCommands([{ id: 'ai.part', title: t('part.change'), icon: IconSparkles, shortcut: 'mod+i', when: allowed, run }])
  const keys: NonNullable<YamlEditorProps['keys']> = allowed ? [{ key: 'Mod-i', run: () => (run(), true) }] : []
  return { panel: { kind, text: text.text, onText: text.setText, readOnly, part, onPart: setPart }, keys }
}
