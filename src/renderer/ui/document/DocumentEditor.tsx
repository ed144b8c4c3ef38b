import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, type Ref, type RefObject, useImperativeHandle, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../commands/commands.ts'
import { type PaneTab, PaneTabs } from '../PaneTabs.tsx'
import { SplitPane } from '../SplitPane.tsx'
import type { TextFinding } from '../code/editor-knowledge.ts'
import { YamlEditor, type YamlEditorHandle, type YamlEditorProps } from '../code/YamlEditor.tsx'
import { HelpPane } from './HelpPane.tsx'
import { ProblemsPane } from './ProblemsPane.tsx'
import type { DocumentEditorHandle, DocumentKind } from './document.types.ts'
import classes from './side.module.css'
import type { ServerCheck } from './use-server-check.ts'
import type { DocumentText } from './use-document-text.ts'

/** What every kind has beside its text. */
export const sharedTabs = ['problems', 'help'] as const
type Shared = (typeof sharedTabs)[number]

/** What the page gives to the editor of its kind. */
export interface DocumentEditing {
  readOnly: boolean
  onSave(): void
  /** Starts what is started with the document. */
  onStart(): void
  ref: Ref<DocumentEditorHandle>
}

interface DocumentEditorProps<Own extends string>
  extends DocumentEditing, Pick<YamlEditorProps, 'knowledge' | 'language' | 'onCaretLine' | 'inline'> {
  kind: DocumentKind
  text: DocumentText
  findings: readonly TextFinding[]
  /** Only the text itself could be checked. */
  unchecked?: ServerCheck['failed']
  editor: RefObject<YamlEditorHandle | null>
  /** Where this browser keeps how the editor is divided, and the editor's part at first. */
  split: { id: string; initial: number }
  /** The sides that only this kind has; `children` are those of the chosen one. The first comes first, the others last. */
  sides: readonly [PaneTab<Own>, ...PaneTab<Own>[]]
  tab: Own | Shared
  onTab(tab: Own | Shared): void
  /** Right of the tabs. */
  right?: ReactNode
  /** The caret's, from 1. */
  line: number
  /** Beside those that save and start. */
  keys?: YamlEditorProps['keys']
  check?: DocumentEditorHandle['check']
  children: ReactNode
}

const noFindings: readonly TextFinding[] = []

/** The text on the left; on the right what it does, what is wrong with it, and what it means. */
export function DocumentEditor<Own extends string>(props: DocumentEditorProps<Own>) {
  const {
    kind,
    text,
    findings,
    unchecked = null,
    editor,
    split,
    sides,
    tab,
    onTab,
    right,
    line,
    keys = [],
    check,
    children,
  } = props
  const { readOnly, onSave, onStart, ref, onCaretLine, knowledge, language, inline } = props
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(kind.words)
  useImperativeHandle(ref, () => ({
    showProblems: () => onTab('problems'),
    check: check ?? kind.reader.read,
  }))
  useCommands([
    {
      id: `${kind.name}.edit`,
      title: t('page.edit'),
      icon: IconPencil,
      shortcut: 'e',
      run: () => editor.current?.focus(),
    },
  ])
  // What an untouched text lacks is neither marked nor counted until someone asks for the problems.
  const [asked, setAsked] = useState(false)
  if (tab === 'problems' && !asked) setAsked(true)
  const shown = text.untouched && !asked ? noFindings : findings
  const errors = shown.filter((one) => one.severity === 'error').length
  const tabs: PaneTab<Own | Shared>[] = [
    sides[0],
    {
      id: 'problems',
      label: t('problems.label'),
      count: shown.length || (unchecked ? '!' : 0),
      tone: errors > 0 ? 'failed' : 'warning',
    },
    { id: 'help', label: t('help.title') },
    ...sides.slice(1),
  ]
  return (
    <SplitPane {...split} direction="horizontal" minSize={320}>
      <YamlEditor
        ref={editor}
        value={text.text}
        onChange={text.setText}
        findings={shown}
        settled={text.settled}
        readOnly={readOnly}
        label={own('page.editorLabel')}
        keys={[
          { key: 'Mod-s', run: () => (onSave(), true) },
          { key: 'Mod-Enter', run: () => (onStart(), true) },
          ...keys,
        ]}
        {...(inline ? { inline } : {})}
        {...(onCaretLine ? { onCaretLine } : {})}
        {...(knowledge ? { knowledge } : {})}
        {...(language ? { language } : {})}
      />
      <div className={classes.side}>
        <PaneTabs
          id={`${kind.name}-side`}
          label={t('page.side')}
          tabs={tabs}
          active={tab}
          onChange={onTab}
          right={right}
        >
          {sides.some(({ id }) => id === tab) ? children : null}
          {tab === 'problems' ? (
            <ProblemsPane
              text={text.checked}
              findings={shown}
              unchecked={unchecked}
              unread={text.unread}
              onShow={(finding) => editor.current?.reveal(finding.line, finding.column)}
              onFix={readOnly ? undefined : (finding) => editor.current?.fix(finding)}
            />
          ) : null}
          {tab === 'help' ? <HelpPane text={text.text} line={line} schema={kind.schema} hover={kind.hover} /> : null}
        </PaneTabs>
      </div>
    </SplitPane>
  )
}
