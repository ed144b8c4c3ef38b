import { IconEyeOff } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { DocumentEditor, type DocumentEditing, sharedTabs } from '../../ui/document/DocumentEditor.tsx'
import { isLong } from '../../ui/document/reading.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { AiPanel } from '../ai/AiPanel.tsx'
import { useAiPart } from '../ai/use-ai-part.tsx'
import { useAddressChoice, useAddressPart } from '../../ui/use-address-part.ts'
import { PreviewPane } from './PreviewPane.tsx'
import type { ReadTask } from './read-task.ts'
import { stageFindings } from './stage-findings.ts'
import { stageAt, stageIn } from './stage-lines.ts'
import { taskKind } from './task-kind.ts'
import { useEditorKnowledge } from './use-editor-knowledge.ts'
import type { InputsFor } from './use-run-inputs.ts'
import { useTaskPreview } from './use-task-preview.ts'

const sideTabs = ['preview', ...sharedTabs, 'ai'] as const

interface EditorAreaProps extends DocumentEditing {
  text: DocumentText<ReadTask>
  inputsFor: InputsFor
}

/** The text on the left, what it does on the right. The caret chooses the stage, the stage moves the caret. */
export function EditorArea({ text, inputsFor, ...editing }: EditorAreaProps) {
  const { t } = useTranslation('tasks')
  const { t: tAi } = useTranslation('ai')
  const { can } = useSession()
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useAddressPart('side', sideTabs, 'preview')
  const [askedStage, writeStage] = useAddressChoice('stage')
  const [chosenStage, setStage] = useState(() => (/^\d{1,3}$/.test(askedStage ?? '') ? Number(askedStage) : null))
  const [line, setLine] = useState(1)
  const [askedLine] = useAddressChoice('line')
  // Once: the address leads here from a failure, and the text is edited from then on.
  useEffect(() => {
    if (askedLine !== null && /^\d{1,6}$/.test(askedLine)) editor.current?.reveal(Number(askedLine))
  }, [askedLine])
  const { parsed } = text
  const ai = useAiPart({ editor, kind: 'task', text, line, readOnly: editing.readOnly, onOpen: () => setTab('ai') })
  const inputs = inputsFor(parsed)
  const mayPreview = can('previewTask')
  const task = useTaskPreview({ text, inputs, allowed: mayPreview, watched: tab === 'preview' })
  const { preview, current, names } = task
  // What the task makes of its rows is asked about first, until the caret or someone chooses a stage: the last that has any.
  const stages = preview.result?.stages
  const last = stages?.findLast((one) => one.row_count > 0)?.index ?? Math.max(0, names.length - 1)
  const stage = chosenStage ?? last
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
  useCommands([
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
    writeStage(index)
    const place = parsed.stages.find((one) => one.stage === index)
    if (place) editor.current?.reveal(place.from, 1, focus)
  }
  return (
    <DocumentEditor
      {...editing}
      kind={taskKind}
      text={text}
      findings={findings}
      editor={editor}
      split={{ id: 'tasks.editor', initial: 0.44 }}
      sides={[
        { id: 'preview', label: t('side.preview') },
        { id: 'ai', label: tAi('panel.title') },
      ]}
      tab={tab}
      onTab={setTab}
      line={line}
      onCaretLine={onCaretLine}
      knowledge={knowledge}
      keys={[{ key: 'Mod-Shift-Enter', run: () => (start(), true) }, ...ai.keys]}
      inline={ai.inline}
    >
      {tab === 'ai' ? (
        <AiPanel {...ai.panel} />
      ) : mayPreview ? (
        <PreviewPane
          parsed={parsed}
          inputs={inputs}
          task={task}
          stage={stage}
          onStage={(index) => showStage(index, false)}
          onStart={start}
          onShowStage={(index) => showStage(index, true)}
          onProblems={() => setTab('problems')}
        />
      ) : (
        <EmptyState icon={IconEyeOff} title={t('preview.notYours')} text={t('preview.notYoursText')} />
      )}
    </DocumentEditor>
  )
}
