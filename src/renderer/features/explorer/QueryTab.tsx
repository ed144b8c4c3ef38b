import { SegmentedControl } from '@mantine/core'
import {
  IconBinaryTree,
  IconBookmark,
  IconListCheck,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlugConnectedX,
  IconTransform,
} from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { QueryEditor, type QueryEditorHandle } from '../../ui/code/QueryEditor.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { useUnreachable } from '../../ui/use-unreachable.ts'
import { QuestionButton } from '../ai/QuestionButton.tsx'
import { AskingDialog } from './AskingDialog.tsx'
import { BuilderPane } from './BuilderPane.tsx'
import { changesRows, emptyDefinition, isEmptyDefinition, modelText, withParameters } from './builder.rules.ts'
import { explainable } from '../../../contract/explain.ts'
import type { RowLink } from './links.rules.ts'
import { type QueryAction, QueryBar } from './QueryBar.tsx'
import { ResultPane } from './ResultPane.tsx'
import { SavePresetDialog } from './SavePresetDialog.tsx'
import { isSql, languageOf, mayWrite, parametersOf, queryOf, textToRun } from './statements.rules.ts'
import { tableLook } from './result-look.rules.ts'
import type { ExplorerTab } from './tabs.ts'
import { columnsInstead, mistakeOf, type Ran } from './query-failure.rules.ts'
import { useAsking } from './use-asking.ts'
import { useBuilder } from './use-builder.ts'
import type { useConnectors } from './use-connectors.ts'
import { useMakeTask } from './use-make-task.ts'
import { useQuery } from './use-query.ts'
import { useSchema } from './use-schema.ts'
import { isChangeable } from './writes.rules.ts'

interface QueryTabProps {
  tab: ExplorerTab
  /** undefined: it is not known (yet), or was archived. */
  connector: Connector | undefined
  /** That it comes from. */
  list: ReturnType<typeof useConnectors>
  shown: boolean
  /** Runs its query when it is first drawn: it was opened for that. */
  runsAtOnce: boolean
  onEdit: (part: Partial<Omit<ExplorerTab, 'id'>>) => void
  /** Opens what a value refers to. */
  onFollow: (link: RowLink) => void
  /** Opens conditions in a tab of their own, and runs nothing. */
  onBuilder: (resource: string, definition: ExplorerPresetDefinition) => void
  /** How many changes of results wait for their review, by tab. */
  staged: Map<string, number>
}

/** Of a connector that is not known. */
const noSchema = {}

/** One query, and its result below it. A tab that was never shown since the start draws nothing. */
export function QueryTab(props: QueryTabProps) {
  const { t } = useTranslation('explorer')
  const [seen, setSeen] = useState(props.shown)
  if (props.shown && !seen) setSeen(true)
  if (!seen) return null
  const { connector, list } = props
  if (connector) return <Query {...props} connector={connector} />
  if (list.isLoading) return null
  if (list.error) {
    const failure = <ErrorState what="connectors" error={list.error} onRetry={list.retry} />
    const { text, title } = props.tab
    if (props.tab.builder || text.trim() === '') return failure
    return (
      <SplitPane id="explorer.query" direction="vertical" initial={0.3} minSize={90}>
        <QueryEditor
          value={text}
          onChange={(next) => props.onEdit({ text: next })}
          language="duckdb"
          schema={noSchema}
          onRun={list.retry}
          label={t('editor', { name: title })}
        />
        {failure}
      </SplitPane>
    )
  }
  return <EmptyState icon={IconPlugConnectedX} title={t('gone.title')} text={t('gone.text')} />
}

function Query({
  tab,
  connector,
  shown,
  runsAtOnce,
  onEdit,
  onFollow,
  onBuilder,
  staged,
}: QueryTabProps & { connector: Connector }) {
  const { t } = useTranslation('explorer')
  const { can, me } = useSession()
  const editor = useRef<QueryEditorHandle>(null)
  /** null: a query of the builder, which has no place in the text. */
  const [ran, setRan] = useState<Ran | null>(null)
  const query = useQuery(connector.id)
  const [saving, setSaving] = useState(false)
  const setStaged = useCallback((count: number) => void staged.set(tab.id, count), [staged, tab.id])
  const stagedCount = () => staged.get(tab.id) ?? 0
  const asking = useAsking({ tab, connector, stagedCount, run: query.run })
  const language = languageOf(connector.type) ?? 'duckdb'
  const schema = useSchema(connector, tab.text, shown && isSql(language))
  /** Found in the text that was run: what is typed later moves it. */
  const mistake =
    query.state.kind === 'failed' && ran
      ? mistakeOf(query.state.error, ran, isSql(language) ? language : undefined)
      : null
  const instead = mistake && ran ? columnsInstead({ cause: mistake.message, query: ran.text }, schema) : []
  const isRunning = query.state.kind === 'running'
  const canWrite = mayWrite(connector, me.user.role)
  const builder = useBuilder(tab, connector, shown, asking.filled)
  const { isOn } = builder
  const isEmpty = isOn ? builder.shown.kind !== 'statement' : tab.text.trim() === ''
  const mayChange = can('changeConnectorData') && isChangeable(connector)
  /** The builder changes rows: there is a review instead of a result. */
  const isChange = isOn && changesRows(builder.definition)

  /** All fields of a new row are in sight, as long as there is room for rows below. */
  const share =
    isOn && builder.definition.action === 'insert' && builder.place.columns
      ? Math.min(0.65, 0.18 + 0.055 * builder.place.columns.length)
      : 0.3

  const run = () => begin(false)
  const begin = (plan: boolean) => {
    const toRun = textToRun(tab.text, editor.current?.marked() ?? { text: '', from: 0 })
    setRan(isOn ? null : toRun)
    if (!isOn) asking.askText(toRun.text, plan)
    else if (!isEmpty)
      asking.ask({ definition: withParameters(builder.definition), resource: builder.place.resource }, plan)
  }
  const makeTask = useMakeTask(connector)
  const toTask = () => {
    if (!isOn) {
      const names = parametersOf(tab.text, language)
      const known = Object.entries(asking.values).filter(([name]) => names.includes(name))
      makeTask(tab.title, tab.text, Object.fromEntries(known))
    } else if (builder.shown.kind === 'statement') {
      makeTask(tab.title, builder.shown.query.text, builder.shown.query.parameters)
    }
  }
  /** The statement as it stands, to go on with by hand. */
  const toRaw = () => {
    if (builder.shown.kind !== 'statement') return
    const { text, parameters } = builder.shown.query
    asking.remember(parameters)
    onEdit({ text, builder: false })
  }
  const hasConditions = !isEmptyDefinition(tab.definition ?? emptyDefinition)
  /** Conditions that stand here already are kept: the new ones get a tab of their own. */
  const toBuilder = (resource: string, definition: ExplorerPresetDefinition) => {
    const isFree = tab.presetId === null && !hasConditions
    if (isFree && tab.resource === resource) onEdit({ definition, builder: true })
    else if (isFree && tab.resource === null && tab.text.trim() === '')
      onEdit({ resource, definition, builder: true, title: resource })
    else onBuilder(resource, definition)
  }
  /** What is added to when a search goes to the system. */
  const base = isOn
    ? isChange
      ? null
      : builder.definition
    : tab.resource !== null && tab.text.trim() === queryOf(connector.type, tab.resource)
      ? emptyDefinition
      : null
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    if (runsAtOnce) run()
    // Nobody is taken from a field in which they have begun to type, such as the search of the tree.
    else if (!(document.activeElement instanceof HTMLInputElement)) editor.current?.focus()
  })
  const unreachable = useUnreachable()
  const mayExplain = Object.hasOwn(explainable, connector.type) && !isChange
  const mayMakeTask = can('createTask') && !isChange
  const main: QueryAction = {
    id: 'explorer.run',
    title: isChange ? t('presets.review') : t('run'),
    icon: isChange ? IconListCheck : IconPlayerPlay,
    shortcut: 'mod+enter',
    offered: true,
    when: !isRunning && !isEmpty && (mayChange || !isChange) && unreachable === undefined,
    why: unreachable,
    run,
  }
  const cancel: QueryAction = {
    id: 'explorer.cancel',
    title: t('cancel'),
    icon: IconPlayerStop,
    shortcut: 'escape',
    offered: true,
    when: isRunning,
    run: query.cancel,
  }
  const actions: readonly QueryAction[] = [
    {
      id: 'explorer.explain',
      title: t('plan.explain'),
      icon: IconBinaryTree,
      shortcut: 'mod+shift+enter',
      offered: mayExplain,
      when: mayExplain && !isEmpty,
      run: () => begin(true),
    },
    {
      id: 'explorer.task',
      title: t('makeTask'),
      icon: IconTransform,
      offered: mayMakeTask,
      when: mayMakeTask && !isEmpty,
      run: toTask,
    },
    {
      id: 'explorer.save',
      title: t('presets.save'),
      icon: IconBookmark,
      shortcut: 'mod+s',
      offered: can('createExplorerPreset'),
      when: can('createExplorerPreset') && !isEmpty,
      run: () => setSaving(true),
    },
  ]
  useCommands(shown ? [main, cancel, ...actions] : [])
  return (
    <>
      <QueryBar
        connector={connector}
        readOnly={!mayChange}
        main={isChange ? null : main}
        cancel={cancel}
        actions={actions}
      >
        {tab.resource === null || !canWrite ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('builder.mode')}
            data={[
              { value: 'builder', label: t('builder.builder') },
              { value: 'text', label: t('builder.text') },
            ]}
            value={isOn ? 'builder' : 'text'}
            onChange={(next) => onEdit({ builder: next === 'builder' })}
          />
        )}
        {shown && canWrite ? (
          <QuestionButton
            connector={connector}
            current={
              isOn
                ? hasConditions && !isChange
                  ? modelText(builder.definition, builder.place.resource)
                  : ''
                : tab.text
            }
            onQuery={(text) => onEdit({ text, builder: false })}
            onBuilder={toBuilder}
          />
        ) : null}
      </QueryBar>
      <SplitPane id="explorer.query" direction="vertical" initial={share} minSize={90}>
        {isOn ? (
          <BuilderPane
            definition={builder.definition}
            place={builder.place}
            shown={builder.shown}
            review={isChange ? main : null}
            mayChange={mayChange}
            onChange={(definition) => onEdit({ definition })}
            onRaw={canWrite ? toRaw : undefined}
          />
        ) : (
          <QueryEditor
            ref={editor}
            value={tab.text}
            onChange={(text) => onEdit({ text })}
            language={language === 'mongodb' ? 'json' : isSql(language) ? language : 'text'}
            schema={schema}
            onRun={run}
            mistake={mistake}
            label={t('editor', { name: tab.title })}
          />
        )}
        {isChange && query.state.kind === 'none' ? null : (
          <ResultPane
            connector={connector}
            name={tab.title}
            resource={tab.resource}
            state={query.state}
            instead={instead}
            shown={shown}
            onRunAgain={run}
            base={base}
            onDatabase={(definition) => {
              onEdit({ definition, builder: true })
              asking.ask({ definition: withParameters(definition), resource: tab.resource ?? '' })
            }}
            onStaged={setStaged}
            onFollow={onFollow}
            look={tab.look ?? tableLook}
            onLook={(look) => onEdit({ look })}
          />
        )}
      </SplitPane>
      <AskingDialog asking={asking} connector={connector} presetId={tab.presetId} stagedCount={stagedCount} />
      {saving ? (
        <SavePresetDialog
          tab={tab}
          connector={connector}
          onClose={() => setSaving(false)}
          onSaved={({ id, name, definition }) => {
            setSaving(false)
            onEdit({ presetId: id, title: name, ...((isOn || definition.parameters) && { definition }) })
          }}
        />
      ) : null}
    </>
  )
}
