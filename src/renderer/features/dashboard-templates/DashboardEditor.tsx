import { Button, Group, Menu, Select } from '@mantine/core'
import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { validateDashboardTemplate } from '../../../contract/dashboard-templates.ts'
import { getWidgetData } from '../../../contract/dashboards.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import type { ParsedDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { useCommands } from '../../commands/commands.ts'
import type { YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { DocumentEditor, type DocumentEditing, sharedTabs } from '../../ui/document/DocumentEditor.tsx'
import { mergedFindings } from '../../ui/document/server-findings.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { useServerCheck } from '../../ui/document/use-server-check.ts'
import { useAddressPart } from '../../ui/use-address-part.ts'
import { AiPanel } from '../ai/AiPanel.tsx'
import { useAiPart } from '../ai/use-ai-part.tsx'
import { LivePane } from './LivePane.tsx'
import { dashboardLanguageIn } from './dashboard-language.ts'
import { dashboardReader } from './dashboard-reader.ts'
import { dashboardTemplateKind } from './dashboard-template-kind.ts'
import classes from './dashboard-templates.module.css'
import { useArrange } from './use-arrange.ts'
import { widgetTypes } from './widget-text.ts'
import { useDashboardWorld } from './use-dashboard-world.ts'
import { type ValidText, useLiveData } from './use-live-data.ts'
import { type PreviewJob, usePreviewJob } from './use-preview-job.ts'

const sideTabs = ['dashboard', ...sharedTabs, 'ai'] as const

/** The last state of the text that had no errors. */
function useValidText({ parsed: { dashboard }, checked }: DocumentText<ParsedDashboard>): ValidText | null {
  const [valid, setValid] = useState<ValidText | null>(null)
  if (!dashboard || valid?.document === dashboard) return valid
  const now = { yaml: checked, document: dashboard }
  setValid(now)
  return now
}

function JobPicker({ jobs, isLoading, failure, job, choose }: PreviewJob) {
  const { t } = useTranslation('dashboardTemplates')
  if (isLoading) return null
  // Why there are none is said above the dashboard.
  if (failure && jobs.length === 0) return null
  if (jobs.length === 0) return <span className={classes.noJob}>{t('live.noJob')}</span>
  return (
    <>
      <label htmlFor="dashboard-preview-job" className={classes.jobLabel}>
        {t('live.job')}
      </label>
      <Select
        id="dashboard-preview-job"
        size="xs"
        className={classes.job}
        searchable
        data={[
          { value: '', label: t('live.noData') },
          ...jobs.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={job ? String(job.id) : ''}
        onChange={(id) => choose(id ? Number(id) : null)}
      />
    </>
  )
}

function AddWidget({ onAdd }: { onAdd(type: Widget['type']): void }) {
  const { t } = useTranslation('dashboardTemplates')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-xs"
          style={{ flex: 'none' }}
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {t('arrange.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {widgetTypes.map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            {t(`types.${type}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface DashboardEditorProps extends Omit<DocumentEditing, 'onStart'> {
  text: DocumentText<ParsedDashboard>
  /** Widget that is shown first. */
  shown: string | null
}

/** The text on the left, the dashboard on the right. The caret chooses the widget, the widget selects its text. */
export function DashboardEditor({ text, shown, ...editing }: DashboardEditorProps) {
  const { t } = useTranslation('dashboardTemplates')
  const { t: tAi } = useTranslation('ai')
  const { readOnly } = editing
  const client = useQueryClient()
  const editor = useRef<YamlEditorHandle>(null)
  const [tab, setTab] = useAddressPart('side', sideTabs, 'dashboard')
  const { parsed, checked } = text
  const [caret, setCaret] = useState<number | null>(null)
  const line = caret ?? parsed.widgets.find((one) => one.id === shown)?.line ?? 1
  const ai = useAiPart({ editor, kind: 'dashboardTemplate', text, line, readOnly, onOpen: () => setTab('ai') })
  const selected = parsed.widgets.findLast((one) => one.line <= line && line <= one.end_line)?.id ?? null
  const world = useDashboardWorld()
  const language = useMemo(() => dashboardLanguageIn(world), [world])
  const { found: server, failed: unchecked } = useServerCheck(validateDashboardTemplate, checked)
  const findings = useMemo(
    () => mergedFindings(checked, parsed.diagnostics, server),
    [checked, parsed.diagnostics, server],
  )
  const valid = useValidText(text)
  const preview = usePreviewJob(valid?.document.job_template ?? null)
  const data = useLiveData(valid, preview.job?.id ?? null)
  const { arrange, add, remove, follow, said, ahead } = useArrange(text)

  const show = (id: string, open: boolean) => {
    const widget = parsed.widgets.find((one) => one.id === id)
    if (!widget) return
    editor.current?.select(widget.line, widget.end_line)
    if (open) editor.current?.focus()
  }
  /** Its text is selected once it was read. */
  const wanted = useRef<string | null>(null)
  const addWidget = (type: Widget['type']) => {
    wanted.current = add(type)
  }
  useEffect(() => {
    const widget = parsed.widgets.find((one) => one.id === wanted.current)
    if (!widget) return
    wanted.current = null
    editor.current?.select(widget.line, widget.end_line)
  }, [parsed.widgets])
  const first = useRef(shown)
  useEffect(() => {
    const widget = parsed.widgets.find((one) => one.id === first.current)
    if (!widget && text.unread) return
    first.current = null
    if (widget) editor.current?.select(widget.line, widget.end_line)
  }, [parsed.widgets, text.unread])

  const refresh = () => void client.invalidateQueries({ queryKey: [getWidgetData.id] })
  useCommands([
    {
      id: 'dashboard-template.refresh',
      title: t('live.refresh'),
      icon: IconRefresh,
      shortcut: 'r',
      when: data !== null,
      run: refresh,
    },
  ])
  const isStale = parsed.dashboard === null
  return (
    <DocumentEditor
      {...editing}
      onStart={refresh}
      kind={dashboardTemplateKind}
      text={text}
      findings={findings}
      unchecked={unchecked}
      editor={editor}
      split={{ id: 'dashboard-template.editor', initial: 0.4 }}
      sides={[
        { id: 'dashboard', label: t('live.title') },
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
      check={(now) => (server?.text === now && checked === now ? { diagnostics: findings } : dashboardReader.read(now))}
      right={
        tab === 'dashboard' && (valid || !readOnly) ? (
          <Group gap="xs" wrap="nowrap" miw={0}>
            {readOnly ? null : <AddWidget onAdd={addWidget} />}
            {valid ? <JobPicker {...preview} /> : null}
          </Group>
        ) : undefined
      }
    >
      {tab === 'ai' ? (
        <AiPanel {...ai.panel} />
      ) : (
        <LivePane
          valid={valid}
          isStale={isStale}
          unread={text.unread}
          failed={
            preview.failure && preview.jobs.length === 0 ? { error: preview.failure, retry: preview.retry } : undefined
          }
          data={data}
          ahead={ahead}
          selected={selected}
          onSelect={show}
          arrange={readOnly || isStale ? undefined : arrange}
          onRemove={remove}
          onUndo={(back) => follow(() => (back ? editor.current?.undo() : editor.current?.redo()))}
          onProblems={() => setTab('problems')}
          said={said}
        />
      )}
    </DocumentEditor>
  )
}
