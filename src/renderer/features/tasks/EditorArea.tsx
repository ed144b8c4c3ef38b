import { IconEyeOff, IconPencil } from '@tabler/icons-react'
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hoverTask } from '../../../language/hover.ts'
import { taskSchema } from '../../../language/task/task-schema.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { type PaneTab, PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { YamlEditor, type YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { HelpPane } from '../../ui/document/HelpPane.tsx'
import { isLong } from '../../ui/document/reading.ts'
import { PreviewPane } from './PreviewPane.tsx'
import { ProblemsPane } from '../../ui/document/ProblemsPane.tsx'
import classes from '../../ui/document/side.module.css'
import { useAddressChoice, useAddressPart } from '../../ui/use-address-part.ts'
import { stageFindings } from './stage-findings.ts'
import { stageAt, stageIn } from './stage-lines.ts'
import { useEditorKnowledge } from './use-editor-knowledge.ts'
import type { InputsFor } from './use-run-inputs.ts'
import { useTaskPreview } from './use-task-preview.ts'
import type { TaskText } from './use-task-text.ts'

const sideTabs = ['preview', 'problems', 'help'] as const
type SideTab = (typeof sideTabs)[number]

export interface EditorAreaHandle {
  showProblems(): void
}

export interface EditorAreaProps {
  text: TaskText
  inputsFor: InputsFor
  readOnly: boolean
  onSave(): void
  onRun(): void
  ref?: Ref<EditorAreaHandle>
}

/** The text on the left, what it does on the right. The caret chooses the stage, the stage moves the caret. */
export function EditorArea({ text, inputsFor, readOnly, onSave, onRun, ref }: EditorAreaProps) {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useAddressPart('side', sideTabs, 'preview')
  const [askedStage, writeStage] = useAddressChoice('stage')
  const [stage, setStage] = useState(() => (/^\d{1,3}$/.test(askedStage ?? '') ? Number(askedStage) : 0))
  const [line, setLine] = useState(1)
  const { parsed } = text
  const inputs = inputsFor(parsed)
  const mayPreview = can('previewTask')
  const task = useTaskPreview({ text, inputs, allowed: mayPreview, watched: tab === 'preview' })
  const { preview, current, names } = task
  const stages = preview.result?.stages
  const knowledge = useEditorKnowledge(inputs.connectors, inputs.mapping, stages)

  const start = () => {
    if (!mayPreview) return
    setTab('preview')
    task.start()
  }
  // A failed stage is what one wants to see of the first preview, and of one that one asked for; else of where the caret is.
  const { asked } = task
  const seen = useRef(false)
  useEffect(() => {
    if (!stages) return
    const failed = asked || !seen.current ? stages.find((one) => one.error) : undefined
    seen.current = true
    if (failed) setStage(failed.index)
  }, [asked, stages])
  const findings = useMemo(
    () => [...parsed.diagnostics, ...(current && stages ? stageFindings(text.checked, parsed.stages, stages) : [])],
    [parsed, current, stages, text.checked],
  )
  const showProblems = () => setTab('problems')
  useImperativeHandle(ref, () => ({ showProblems }))
  useCommands([
    {
      id: 'task.edit',
      title: doc('page.edit'),
      icon: IconPencil,
      shortcut: 'e',
      run: () => editor.current?.focus(),
    },
    { id: 'task.preview', title: t('page.preview'), shortcut: 'mod+shift+Enter', when: mayPreview, run: start },
    {
      id: 'task.preview.cancel',
      title: t('preview.cancel'),
      shortcut: 'Escape',
      // Escape also closes lists and dialogs: rows that come by themselves are not stopped in passing.
      when: task.awaited,
      run: preview.cancel,
    },
  ])

  const last = names.length - 1
  const latestText = useRef(text.text)
  const latestStages = useRef(parsed.stages)
  useEffect(() => {
    latestText.current = text.text
    latestStages.current = parsed.stages
  })
  const onCaretLine = useCallback(
    (at: number) => {
      setLine(at)
      const long = isLong(latestText.current)
      const found = long ? stageIn(latestStages.current, at) : stageAt(latestText.current, at)
      if (found !== null) setStage(found === 'last' ? last : found)
    },
    [last],
  )
  const showStage = (index: number, focus: boolean) => {
    setStage(index)
    writeStage(index === 0 ? null : index)
    const place = parsed.stages.find((one) => one.stage === index)
    if (place) editor.current?.reveal(place.from, 1, focus)
  }
  const errors = findings.filter((one) => one.severity === 'error').length
  const tabs: PaneTab<SideTab>[] = [
    { id: 'preview', label: t('side.preview') },
    { id: 'problems', label: t('side.problems'), count: findings.length, tone: errors > 0 ? 'failed' : 'warning' },
    { id: 'help', label: t('side.help') },
  ]
  return (
    <SplitPane id="tasks.editor" direction="horizontal" initial={0.44} minSize={320}>
      <YamlEditor
        ref={editor}
        value={text.text}
        onChange={text.setText}
        onCaretLine={onCaretLine}
        findings={findings}
        knowledge={knowledge}
        readOnly={readOnly}
        label={t('page.editorLabel')}
        keys={[
          { key: 'Mod-s', run: () => (onSave(), true) },
          { key: 'Mod-Enter', run: () => (onRun(), true) },
          { key: 'Mod-Shift-Enter', run: () => (start(), true) },
        ]}
      />
      <div className={classes.side}>
        <PaneTabs id="task-side" label={t('side.label')} tabs={tabs} active={tab} onChange={setTab}>
          {tab === 'preview' && !mayPreview ? (
            <EmptyState icon={IconEyeOff} title={t('preview.notYours')} text={t('preview.notYoursText')} />
          ) : null}
          {tab === 'preview' && mayPreview ? (
            <PreviewPane
              parsed={parsed}
              inputs={inputs}
              task={task}
              stage={stage}
              onStage={(index) => showStage(index, false)}
              onStart={start}
              onShowStage={(index) => showStage(index, true)}
            />
          ) : null}
          {tab === 'problems' ? (
            <ProblemsPane
              text={text.checked}
              findings={findings}
              unread={text.unread}
              onShow={(finding) => editor.current?.reveal(finding.line, finding.column)}
              onFix={readOnly ? undefined : (finding) => editor.current?.fix(finding)}
            />
          ) : null}
          {tab === 'help' ? <HelpPane text={text.text} line={line} schema={taskSchema} hover={hoverTask} /> : null}
        </PaneTabs>
      </div>
    </SplitPane>
  )
}
