import { Button } from '@mantine/core'
import { IconBookmark, IconPlayerPlay, IconPlayerStop, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { QueryEditor, type QueryEditorHandle } from '../../ui/code/QueryEditor.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { EnvironmentMark } from '../connectors/EnvironmentMark.tsx'
import { ParametersDialog } from './ParametersDialog.tsx'
import { ResultPane } from './ResultPane.tsx'
import { SavePresetDialog } from './SavePresetDialog.tsx'
import classes from './explorer.module.css'
import { type ParameterValues, isSql, languageOf, parametersOf, textToRun } from './statements.rules.ts'
import type { ExplorerTab } from './tabs.ts'
import { useQuery } from './use-query.ts'
import { useSchema } from './use-schema.ts'

interface QueryTabProps {
  tab: ExplorerTab
  /** undefined: it is not known (yet), or was archived. */
  connector: Connector | undefined
  loading: boolean
  shown: boolean
  /** Runs its query when it is first drawn: it was opened for that. */
  runsAtOnce: boolean
  onEdit: (part: Partial<Omit<ExplorerTab, 'id'>>) => void
}

/** One query, and its result below it. A tab that was never shown since the start draws nothing. */
export function QueryTab(props: QueryTabProps) {
  const { t } = useTranslation('explorer')
  const [seen, setSeen] = useState(props.shown)
  if (props.shown && !seen) setSeen(true)
  if (!seen) return null
  const { connector, loading } = props
  if (connector) return <Query {...props} connector={connector} />
  return loading ? null : <EmptyState icon={IconPlugConnectedX} title={t('gone.title')} text={t('gone.text')} />
}

function Query({ tab, connector, shown, runsAtOnce, onEdit }: QueryTabProps & { connector: Connector }) {
  const { t } = useTranslation('explorer')
  const { can } = useSession()
  const editor = useRef<QueryEditorHandle>(null)
  const query = useQuery(connector.id)
  const [asking, setAsking] = useState<{ text: string; names: readonly string[] } | null>(null)
  const [values, setValues] = useState<ParameterValues>({})
  const [saving, setSaving] = useState(false)
  const language = languageOf(connector.type) ?? 'duckdb'
  const schema = useSchema(connector, tab.text, shown && isSql(language))
  const isRunning = query.state.kind === 'running'

  const start = (text: string) => {
    if (text.trim() === '') return
    const names = parametersOf(text, language)
    if (names.length > 0) setAsking({ text, names })
    else query.run(text, {})
  }
  const run = () => start(textToRun(tab.text, editor.current?.marked() ?? ''))
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    if (runsAtOnce) start(tab.text)
    else editor.current?.focus()
  })
  useCommands(
    shown
      ? [
          {
            id: 'explorer.run',
            title: t('run'),
            icon: IconPlayerPlay,
            shortcut: 'mod+enter',
            when: !isRunning && tab.text.trim() !== '',
            run,
          },
          {
            id: 'explorer.cancel',
            title: t('cancel'),
            icon: IconPlayerStop,
            shortcut: 'escape',
            when: isRunning,
            run: query.cancel,
          },
          {
            id: 'explorer.save',
            title: t('presets.save'),
            icon: IconBookmark,
            shortcut: 'mod+s',
            when: can('createExplorerPreset') && tab.text.trim() !== '',
            run: () => setSaving(true),
          },
        ]
      : [],
  )
  return (
    <>
      <div className={classes.queryBar}>
        {isRunning ? (
          <Button size="compact-sm" variant="default" leftSection={<IconPlayerStop size={14} />} onClick={query.cancel}>
            {t('cancel')}
          </Button>
        ) : (
          <Button
            size="compact-sm"
            leftSection={<IconPlayerPlay size={14} />}
            disabled={tab.text.trim() === ''}
            onClick={run}
          >
            {t('run')}
          </Button>
        )}
        <span className={classes.connectorName} title={connector.name}>
          {connector.name}
        </span>
        <EnvironmentMark environment={connector.environment} />
        <span className={classes.readOnly}>{t('readOnly')}</span>
        <span className={classes.space} />
        {can('createExplorerPreset') ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconBookmark size={14} />}
            disabled={tab.text.trim() === ''}
            onClick={() => setSaving(true)}
          >
            {t('presets.save')}
          </Button>
        ) : null}
      </div>
      <SplitPane id="explorer.query" direction="vertical" initial={0.3} minSize={90}>
        <QueryEditor
          ref={editor}
          value={tab.text}
          onChange={(text) => onEdit({ text })}
          language={language === 'mongodb' ? 'json' : isSql(language) ? language : 'text'}
          schema={schema}
          onRun={run}
          label={t('editor', { name: tab.title })}
        />
        <ResultPane
          connector={connector}
          name={tab.title}
          resource={tab.resource}
          state={query.state}
          shown={shown}
          onRunAgain={run}
        />
      </SplitPane>
      {asking ? (
        <ParametersDialog
          names={asking.names}
          last={values}
          onClose={() => setAsking(null)}
          onRun={(parameters) => {
            setAsking(null)
            setValues((before) => ({ ...before, ...parameters }))
            query.run(asking.text, parameters)
          }}
        />
      ) : null}
      {saving ? (
        <SavePresetDialog
          tab={tab}
          connector={connector}
          onClose={() => setSaving(false)}
          onSaved={({ id, name }) => {
            setSaving(false)
            onEdit({ presetId: id, title: name })
          }}
        />
      ) : null}
    </>
  )
}
