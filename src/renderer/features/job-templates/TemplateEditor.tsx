import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { validateJobTemplate } from '../../../contract/job-templates.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { useCommands } from '../../commands/commands.ts'
import { Hint } from '../../ui/Hint.tsx'
import type { YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { DocumentEditor, type DocumentEditing, sharedTabs } from '../../ui/document/DocumentEditor.tsx'
import { mergedFindings } from '../../ui/document/server-findings.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { useServerCheck } from '../../ui/document/use-server-check.ts'
import { useAddressChoice, useAddressPart } from '../../ui/use-address-part.ts'
import { AiPanel } from '../ai/AiPanel.tsx'
import { useAiPart } from '../ai/use-ai-part.tsx'
import { GraphPane } from './GraphPane.tsx'
import { TaskPalette } from './TaskPalette.tsx'
import { jobLanguageIn } from './job-language.ts'
import { jobTemplateKind } from './job-template-kind.ts'
import classes from './job-templates.module.css'
import { graphNodes, nodeAt } from './template-graph.ts'
import { templateReader } from './template-reader.ts'
import { useInsert } from './use-insert.ts'
import { useJobWorld } from './use-job-world.ts'

const sideTabs = ['graph', ...sharedTabs, 'ai'] as const

interface TemplateEditorProps extends DocumentEditing {
  text: DocumentText<ParsedJob>
  /** Task that is shown first. */
  shown: string | null
}

/** The text on the left, its graph on the right. The caret chooses the task, the task moves the caret. */
export function TemplateEditor({ text, shown, ...editing }: TemplateEditorProps) {
  const { t } = useTranslation('jobTemplates')
  const { t: graph } = useTranslation('graph')
  const { t: tAi } = useTranslation('ai')
  const { readOnly } = editing
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useAddressPart('side', sideTabs, 'graph')
  const [, writeNode] = useAddressChoice('node')
  const { parsed, checked } = text
  // Until the caret has moved: a long text is read a while after it is shown, and its graph opens at the task that was asked for.
  const [caret, setCaret] = useState<number | null>(null)
  const line = caret ?? parsed.nodes.find((one) => one.key === shown)?.line ?? 1
  const world = useJobWorld()
  const language = useMemo(() => jobLanguageIn(world), [world])
  const { found: server, failed: unchecked } = useServerCheck(validateJobTemplate, checked)
  const findings = useMemo(
    () => mergedFindings(checked, parsed.diagnostics, server),
    [checked, parsed.diagnostics, server],
  )
  const nodes = useMemo(
    () => graphNodes(parsed.nodes, findings, { each: t('side.each'), approval: graph('approval') }),
    [parsed.nodes, findings, t, graph],
  )
  const ai = useAiPart({ editor, kind: 'jobTemplate', text, line, readOnly, onOpen: () => setTab('ai') })
  const selected = nodeAt(parsed.nodes, line)?.key ?? null
  const [palette, setPalette] = useLocalStorage({
    key: 'headgate.job-template.palette',
    defaultValue: false,
    getInitialValueInEffect: false,
  })

  const latestText = useRef(text.text)
  useEffect(() => {
    latestText.current = text.text
  })
  const getText = useCallback(() => latestText.current, [])
  const insert = useInsert(text, getText, (added) => {
    setTab('graph')
    editor.current?.reveal(added.line, 1, false)
  })
  const showNode = (key: string, focus = false) => {
    const node = parsed.nodes.find((one) => one.key === key)
    if (!node) return
    editor.current?.reveal(node.line, 1, focus)
    writeNode(key)
  }
  const first = useRef(shown)
  useEffect(() => {
    const node = parsed.nodes.find((one) => one.key === first.current)
    if (!node && text.unread) return
    first.current = null
    if (node) editor.current?.reveal(node.line, 1, false)
  }, [parsed.nodes, text.unread])

  useCommands([
    {
      id: 'job-template.palette',
      title: t('side.palette'),
      icon: IconPlus,
      shortcut: 'a',
      when: !readOnly,
      run: () => setPalette((now) => !now),
    },
  ])
  const paletteOpen = palette && !readOnly
  const addTask = (size: 'compact-xs' | 'xs') =>
    readOnly || paletteOpen ? undefined : (
      <Hint command="job-template.palette">
        <Button
          size={size}
          {...(size === 'xs' ? {} : { variant: 'default' })}
          leftSection={<IconPlus size={13} />}
          onClick={() => setPalette(true)}
        >
          {t('side.palette')}
        </Button>
      </Hint>
    )
  return (
    <DocumentEditor
      {...editing}
      kind={jobTemplateKind}
      text={text}
      findings={findings}
      unchecked={unchecked}
      editor={editor}
      split={{ id: 'job-template.editor', initial: 0.46 }}
      sides={[
        { id: 'graph', label: t('side.graph') },
        { id: 'ai', label: tAi('panel.title') },
      ]}
      tab={tab}
      onTab={setTab}
      line={line}
      keys={ai.keys}
      inline={ai.inline}
      onCaretLine={setCaret}
      language={language}
      // What the server says counts once it has looked at the text.
      check={(now) => (server?.text === now && checked === now ? { diagnostics: findings } : templateReader.read(now))}
      right={
        // Where there are no tasks yet, it is in their place.
        tab === 'graph' && nodes.length > 0 ? addTask('compact-xs') : undefined
      }
    >
      {tab === 'ai' ? (
        <AiPanel {...ai.panel} />
      ) : (
        <div className={classes.graphAndPalette}>
          <GraphPane
            nodes={nodes}
            unread={text.unread}
            selected={selected}
            onSelect={showNode}
            onDrop={readOnly ? undefined : (pick, after) => void insert.add(pick, after)}
            action={addTask('xs')}
          />
          {paletteOpen ? (
            <TaskPalette
              adding={insert.adding}
              onAdd={(pick, after) => void insert.add(pick, after && selected !== null ? [selected] : [])}
              onClose={() => setPalette(false)}
            />
          ) : null}
        </div>
      )}
    </DocumentEditor>
  )
}
