import { IconSparkles } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAiUsage } from '../../../contract/ai-usage.ts'
import { partAt } from '../../../language/yaml/document-part.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import type { YamlEditorHandle, YamlEditorProps } from '../../ui/code/YamlEditor.tsx'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { InlinePrompt } from './InlinePrompt.tsx'
import { type AiKind, aiKinds } from './ai-kinds.ts'

/** The only part of a text that a proposal may change. */
export interface AiPart {
  path: string
  /** What was written in the text; the panel asks it as soon as it gets it. */
  prompt?: string
}

interface PartOptions {
  editor: RefObject<YamlEditorHandle | null>
  kind: AiKind
  text: Pick<DocumentText, 'text' | 'setText'>
  /** Of the caret, from 1. */
  line: number
  readOnly: boolean
  /** Shows the panel. */
  onOpen: () => void
}

/** What the panel beside a text needs; a command and a key of the editor open a prompt at the caret, for the part there. */
export function useAiPart({ editor, kind, text, line, readOnly, onOpen }: PartOptions) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const [part, setPart] = useState<AiPart | null>(null)
  const [asking, setAsking] = useState<{ path: string; line: number } | null>(null)
  const allowed = !readOnly && can(aiKinds[kind].generate.id)
  const { data: usage } = useOperation(getAiUsage, {}, { enabled: allowed })
  const run = () => {
    const path = partAt(text.text, line)
    if (path !== null && usage?.configured) return setAsking({ path, line })
    // The panel says what is missing, or is for the complete text.
    setPart(path === null ? null : { path })
    onOpen()
  }
  const close = () => {
    setAsking(null)
    editor.current?.focus()
  }
  useCommands([{ id: 'ai.part', title: t('part.change'), icon: IconSparkles, shortcut: 'mod+i', when: allowed, run }])
  const keys: NonNullable<YamlEditorProps['keys']> = allowed ? [{ key: 'Mod-i', run: () => (run(), true) }] : []
  const inline = asking && {
    line: asking.line,
    content: (
      <InlinePrompt
        key={`${asking.path} ${asking.line}`}
        path={asking.path}
        where={t('panel.where', { model: usage?.model ?? '', host: usage?.host ?? '' })}
        onAsk={(prompt) => {
          setAsking(null)
          setPart({ path: asking.path, prompt })
          onOpen()
        }}
        onClose={close}
      />
    ),
  }
  return { panel: { kind, text: text.text, onText: text.setText, readOnly, part, onPart: setPart }, keys, inline }
}
