import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { type PaneTab, PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { YamlEditor, type YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { HelpPane } from './HelpPane.tsx'
import { PreviewPane } from './PreviewPane.tsx'
import { ProblemsPane } from './ProblemsPane.tsx'
import classes from './side.module.css'
import { stageAt } from './stage-lines.ts'
import { usePreview } from './use-preview.ts'
import type { InputsFor } from './use-run-inputs.ts'
import type { TaskText } from './use-task-text.ts'

type SideTab = 'preview' | 'problems' | 'help'

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
  const { can } = useSession()
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useState<SideTab>('preview')
  const [stage, setStage] = useState(0)
  const [line, setLine] = useState(1)
  const [limit, setLimit] = useState(100)
  const preview = usePreview()
  const { parsed } = text
  const inputs = inputsFor(parsed)

  const source = parsed.task?.source
  const required = useMemo(() => (source && 'connector' in source ? [source.connector] : []), [source])
  const missing = required.filter((slot) => inputs.mapping[slot] === undefined)
  const obstacle = text.broken
    ? t('preview.errorsFirst')
    : missing.length > 0
      ? t('preview.noSlots', { slots: missing.join(', ') })
      : null
  const mayPreview = can('previewTask')

  const start = () => {
    if (!mayPreview) return
    setTab('preview')
    if (obstacle !== null) return
    inputs.remember()
    preview.start({
      yaml_content: text.text,
      connector_mapping: inputs.mapping,
      arguments: inputs.read.values,
      limit,
    })
  }
  // A failed stage is what one wants to see of a preview that failed.
  const { result } = preview
  useEffect(() => {
    const failed = result?.stages.find((one) => one.error)
    if (failed) setStage(failed.index)
  }, [result])
  const showProblems = () => setTab('problems')
  useImperativeHandle(ref, () => ({ showProblems }))
  useCommands([
    { id: 'task.preview', title: t('page.preview'), shortcut: 'mod+shift+Enter', when: mayPreview, run: start },
    {
      id: 'task.preview.cancel',
      title: t('preview.cancel'),
      shortcut: 'Escape',
      when: preview.running,
      run: preview.cancel,
    },
  ])

  const onCaretLine = useCallback(
    (at: number) => {
      setLine(at)
      const found = stageAt(text.stages, at)
      if (found !== null) setStage(found)
    },
    [text.stages],
  )
  const showStage = (index: number, focus: boolean) => {
    setStage(index)
    const lines = text.stages.find((one) => one.stage === index)
    if (lines) editor.current?.reveal(lines.from, 1, focus)
  }
  const errors = parsed.diagnostics.filter((one) => one.severity === 'error').length
  const tabs: PaneTab<SideTab>[] = [
    { id: 'preview', label: t('side.preview') },
    {
      id: 'problems',
      label: t('side.problems'),
      count: parsed.diagnostics.length,
      tone: errors > 0 ? 'failed' : 'warning',
    },
    { id: 'help', label: t('side.help') },
  ]
  return (
    <SplitPane id="tasks.editor" direction="horizontal" initial={0.5} minSize={320}>
      <YamlEditor
        ref={editor}
        value={text.text}
        onChange={text.setText}
        onCaretLine={onCaretLine}
        diagnostics={parsed.diagnostics}
        connectors={inputs.connectors}
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
          {tab === 'preview' ? (
            <PreviewPane
              parsed={parsed}
              text={text.text}
              inputs={inputs}
              preview={preview}
              obstacle={obstacle}
              required={required}
              limit={limit}
              onLimit={setLimit}
              stage={stage}
              onStage={(index) => showStage(index, false)}
              onStart={start}
              onShowStage={(index) => showStage(index, true)}
            />
          ) : null}
          {tab === 'problems' ? (
            <ProblemsPane
              diagnostics={parsed.diagnostics}
              onShow={(diagnostic) => editor.current?.reveal(diagnostic.line, diagnostic.column)}
            />
          ) : null}
          {tab === 'help' ? <HelpPane text={text.text} line={line} /> : null}
        </PaneTabs>
      </div>
    </SplitPane>
  )
}
