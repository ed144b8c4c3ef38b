import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hoverJob } from '../../../language/hover-job.ts'
import { jobSchema } from '../../../language/job/job-schema.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { Hint } from '../../ui/Hint.tsx'
import { type PaneTab, PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { YamlEditor, type YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { HelpPane } from '../../ui/document/HelpPane.tsx'
import { ProblemsPane } from '../../ui/document/ProblemsPane.tsx'
import type { ParsedText } from '../../ui/document/document.types.ts'
import side from '../../ui/document/side.module.css'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { useAddressChoice, useAddressPart } from '../../ui/use-address-part.ts'
import { GraphPane } from './GraphPane.tsx'
import { TaskPalette } from './TaskPalette.tsx'
import { jobLanguageIn } from './job-language.ts'
import classes from './job-templates.module.css'
import { mergedFindings } from './template-findings.ts'
import { graphNodes, nodeAt } from './template-graph.ts'
import { templateReader } from './template-reader.ts'
import { useInsert } from './use-insert.ts'
import { useJobWorld } from './use-job-world.ts'
import { useServerCheck } from './use-server-check.ts'

const sideTabs = ['graph', 'problems', 'help'] as const
type SideTab = (typeof sideTabs)[number]

export interface TemplateEditorHandle {
  showProblems(): void
  /** What is known to be wrong with a text; what the server says counts once it has looked at it. */
  check(text: string): ParsedText | Promise<ParsedText>
}

interface TemplateEditorProps {
  text: DocumentText<ParsedJob>
  readOnly: boolean
  onSave(): void
  onMake(): void
  /** Task that is shown first. */
  shown: string | null
  ref?: Ref<TemplateEditorHandle>
}

/** The text on the left, its graph on the right. The caret chooses the task, the task moves the caret. */
export function TemplateEditor({ text, readOnly, onSave, onMake, shown, ref }: TemplateEditorProps) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useAddressPart('side', sideTabs, 'graph')
  const [, writeNode] = useAddressChoice('node')
  const { parsed, checked } = text
  // Until the caret has moved: a long text is read a while after it is shown, and its graph opens at the task that was asked for.
  const [caret, setCaret] = useState<number | null>(null)
  const line = caret ?? parsed.nodes.find((one) => one.key === shown)?.line ?? 1
  const world = useJobWorld()
  const language = useMemo(() => jobLanguageIn(world), [world])
  const server = useServerCheck(checked, can('validateJobTemplate'))
  const findings = useMemo(
    () => mergedFindings(checked, parsed.diagnostics, server),
    [checked, parsed.diagnostics, server],
  )
  const nodes = useMemo(() => graphNodes(parsed.nodes, findings, t('side.each')), [parsed.nodes, findings, t])
  const selected = nodeAt(parsed.nodes, line)?.key ?? null
  const [palette, setPalette] = useLocalStorage({
    key: 'headgate.job-template.palette',
    defaultValue: true,
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

  useImperativeHandle(ref, () => ({
    showProblems: () => setTab('problems'),
    check: (now) => (server?.text === now && checked === now ? { diagnostics: findings } : templateReader.read(now)),
  }))
  useCommands([
    {
      id: 'job-template.edit',
      title: doc('page.edit'),
      icon: IconPencil,
      shortcut: 'e',
      run: () => editor.current?.focus(),
    },
    {
      id: 'job-template.palette',
      title: t('side.palette'),
      icon: IconPlus,
      shortcut: 'a',
      when: !readOnly,
      run: () => setPalette((now) => !now),
    },
  ])
  const errors = findings.filter((one) => one.severity === 'error').length
  const tabs: PaneTab<SideTab>[] = [
    { id: 'graph', label: t('side.graph') },
    { id: 'problems', label: t('side.problems'), count: findings.length, tone: errors > 0 ? 'failed' : 'warning' },
    { id: 'help', label: t('side.help') },
  ]
  const paletteOpen = palette && !readOnly
  return (
    <SplitPane id="job-template.editor" direction="horizontal" initial={0.42} minSize={320}>
      <YamlEditor
        ref={editor}
        value={text.text}
        onChange={text.setText}
        onCaretLine={setCaret}
        findings={findings}
        readOnly={readOnly}
        language={language}
        label={t('page.editorLabel')}
        keys={[
          { key: 'Mod-s', run: () => (onSave(), true) },
          { key: 'Mod-Enter', run: () => (onMake(), true) },
        ]}
      />
      <div className={side.side}>
        <PaneTabs
          id="job-template-side"
          label={t('side.label')}
          tabs={tabs}
          active={tab}
          onChange={setTab}
          right={
            tab === 'graph' && !readOnly && !paletteOpen ? (
              <Hint command="job-template.palette">
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<IconPlus size={13} />}
                  onClick={() => setPalette(true)}
                >
                  {t('side.palette')}
                </Button>
              </Hint>
            ) : undefined
          }
        >
          {tab === 'graph' ? (
            <div className={classes.graphAndPalette}>
              <GraphPane
                nodes={nodes}
                unread={text.unread}
                selected={selected}
                onSelect={showNode}
                onDrop={readOnly ? undefined : (pick, after) => void insert.add(pick, after)}
              />
              {paletteOpen ? (
                <TaskPalette
                  adding={insert.adding}
                  onAdd={(pick, after) => void insert.add(pick, after && selected !== null ? [selected] : [])}
                  onClose={() => setPalette(false)}
                />
              ) : null}
            </div>
          ) : null}
          {tab === 'problems' ? (
            <ProblemsPane
              text={checked}
              findings={findings}
              unread={text.unread}
              onShow={(finding) => editor.current?.reveal(finding.line, finding.column)}
              onFix={readOnly ? undefined : (finding) => editor.current?.fix(finding)}
            />
          ) : null}
          {tab === 'help' ? <HelpPane text={text.text} line={line} schema={jobSchema} hover={hoverJob} /> : null}
        </PaneTabs>
      </div>
    </SplitPane>
  )
}
