import { Button, SegmentedControl } from '@mantine/core'
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
import type { ExplorerPresetDefinition, PresetParameter } from '../../../contract/explorer-presets.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { QueryEditor, type QueryEditorHandle } from '../../ui/code/QueryEditor.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { QuestionButton } from '../ai/QuestionButton.tsx'
import { EnvironmentMark } from '../connectors/EnvironmentMark.tsx'
import { BuilderPane } from './BuilderPane.tsx'
import {
  changesRows,
  emptyDefinition,
  isEmptyDefinition,
  modelText,
  rawDefinition,
  withParameters,
} from './builder.rules.ts'
import { explainable } from '../../../contract/explain.ts'
import { DiscardDialog } from './DiscardDialog.tsx'
import type { RowLink } from './links.rules.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { ParametersDialog } from './ParametersDialog.tsx'
import { PresetValuesDialog } from './PresetValuesDialog.tsx'
import { ResultPane } from './ResultPane.tsx'
import { type Changes, ReviewDialog } from './ReviewDialog.tsx'
import { SavePresetDialog } from './SavePresetDialog.tsx'
import classes from './explorer.module.css'
import {
  type ParameterValues,
  isSql,
  languageOf,
  mayWrite,
  parametersOf,
  queryOf,
  textsOf,
  textToRun,
} from './statements.rules.ts'
import { tableLook } from './result-look.rules.ts'
import type { ExplorerTab } from './tabs.ts'
import { canBeTask } from './task-draft.rules.ts'
import { useBuilder } from './use-builder.ts'
import { useMakeTask } from './use-make-task.ts'
import { type Asked, useQuery } from './use-query.ts'
import { useSchema } from './use-schema.ts'
import { isChangeable, writes } from './writes.rules.ts'

interface QueryTabProps {
  tab: ExplorerTab
  /** undefined: it is not known (yet), or was archived. */
  connector: Connector | undefined
  loading: boolean
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
  const query = useQuery(connector.id)
  const [asking, setAsking] = useState<{ text: string; names: readonly string[] } | null>(null)
  const [values, setValues] = useState<ParameterValues>(tab.values ?? {})
  const [filling, setFilling] = useState<{ asked: Asked; parameters: readonly PresetParameter[] } | null>(null)
  const [filled, setFilled] = useState(() => textsOf(tab.values))
  const [saving, setSaving] = useState(false)
  const [reviewing, setReviewing] = useState<Changes | null>(null)
  const [planning, setPlanning] = useState<Asked | null>(null)
  /** Whether the values that are being asked for are for a plan. */
  const forPlan = useRef(false)
  const [losing, setLosing] = useState<Asked | null>(null)
  const setStaged = useCallback((count: number) => void staged.set(tab.id, count), [staged, tab.id])
  const stagedCount = () => staged.get(tab.id) ?? 0
  const language = languageOf(connector.type) ?? 'duckdb'
  const schema = useSchema(connector, tab.text, shown && isSql(language))
  const isRunning = query.state.kind === 'running'
  const canWrite = mayWrite(connector, me.user.role)
  const builder = useBuilder(tab, connector, shown, filled)
  const { isOn } = builder
  const isEmpty = isOn ? builder.shown.kind !== 'statement' : tab.text.trim() === ''
  const mayChange = can('changeConnectorData') && isChangeable(connector)
  /** The builder changes rows: there is a review instead of a result. */
  const isChange = isOn && changesRows(builder.definition)

  /** What writes is reviewed; everything else is run. */
  const send = (asked: Asked) => {
    const { definition, parameters = {}, resource } = asked
    if (forPlan.current) return setPlanning(asked)
    const isWrite = definition.mode === 'raw' && writes(definition.rawQuery ?? '', language)
    if (changesRows(definition)) setReviewing({ definition, parameters, ...(resource !== undefined && { resource }) })
    else if (isWrite && isChangeable(connector)) setReviewing({ definition, parameters })
    else if (stagedCount() > 0) setLosing(asked)
    else query.run(asked)
  }
  const ask = (asked: Asked) => {
    const { parameters = [] } = asked.definition
    if (parameters.length > 0) setFilling({ asked, parameters })
    else send(asked)
  }
  const runText = (text: string) => {
    if (text.trim() === '') return
    if (language === 'mongodb') return ask({ definition: rawDefinition(tab, text) })
    const names = parametersOf(text, language)
    if (names.length > 0) setAsking({ text, names })
    else ask({ definition: { mode: 'raw', rawQuery: text } })
  }
  const run = () => begin(false)
  const explain = () => begin(true)
  const begin = (plan: boolean) => {
    forPlan.current = plan
    if (!isOn) runText(textToRun(tab.text, editor.current?.marked() ?? ''))
    else if (!isEmpty) ask({ definition: withParameters(builder.definition), resource: builder.place.resource })
  }
  const makeTask = useMakeTask(connector)
  const mayMakeTask = can('createTask') && canBeTask(connector.type) && !isChange
  const toTask = () => {
    if (!isOn) {
      const names = parametersOf(tab.text, language)
      const known = Object.entries(values).filter(([name]) => names.includes(name))
      makeTask(tab.title, tab.text, Object.fromEntries(known))
    } else if (builder.shown.kind === 'statement') {
      makeTask(tab.title, builder.shown.query.text, builder.shown.query.parameters)
    }
  }
  /** The statement as it stands, to go on with by hand. */
  const toRaw = () => {
    if (builder.shown.kind !== 'statement') return
    const { text, parameters } = builder.shown.query
    setValues((before) => ({ ...before, ...parameters }))
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
    else editor.current?.focus()
  })
  const mayExplain = Object.hasOwn(explainable, connector.type) && !isChange
  useCommands(
    shown
      ? [
          {
            id: 'explorer.explain',
            title: t('plan.explain'),
            icon: IconBinaryTree,
            shortcut: 'mod+shift+enter',
            when: mayExplain && !isEmpty,
            run: explain,
          },
          {
            id: 'explorer.run',
            title: isChange ? t('presets.review') : t('run'),
            icon: IconPlayerPlay,
            shortcut: 'mod+enter',
            when: !isRunning && !isEmpty && (mayChange || !isChange),
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
            id: 'explorer.task',
            title: t('makeTask'),
            icon: IconTransform,
            when: mayMakeTask && !isEmpty,
            run: toTask,
          },
          {
            id: 'explorer.save',
            title: t('presets.save'),
            icon: IconBookmark,
            shortcut: 'mod+s',
            when: can('createExplorerPreset') && !isEmpty,
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
            leftSection={isChange ? <IconListCheck size={14} /> : <IconPlayerPlay size={14} />}
            disabled={isEmpty || (isChange && !mayChange)}
            onClick={run}
          >
            {isChange ? t('presets.review') : t('run')}
          </Button>
        )}
        <span className={classes.connectorName} title={connector.name}>
          {connector.name}
        </span>
        <EnvironmentMark environment={connector.environment} />
        {mayChange ? null : <span className={classes.readOnly}>{t('readOnly')}</span>}
        <span className={classes.space} />
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
        {mayExplain ? (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.iconic}
            title={t('plan.explain')}
            leftSection={<IconBinaryTree size={14} />}
            disabled={isEmpty}
            onClick={explain}
          >
            {t('plan.explain')}
          </Button>
        ) : null}
        {mayMakeTask ? (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.iconic}
            title={t('makeTask')}
            leftSection={<IconTransform size={14} />}
            disabled={isEmpty}
            onClick={toTask}
          >
            {t('makeTask')}
          </Button>
        ) : null}
        {can('createExplorerPreset') ? (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.iconic}
            title={t('presets.save')}
            leftSection={<IconBookmark size={14} />}
            disabled={isEmpty}
            onClick={() => setSaving(true)}
          >
            {t('presets.save')}
          </Button>
        ) : null}
      </div>
      <SplitPane id="explorer.query" direction="vertical" initial={0.3} minSize={90}>
        {isOn ? (
          <BuilderPane
            definition={builder.definition}
            place={builder.place}
            shown={builder.shown}
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
            label={t('editor', { name: tab.title })}
          />
        )}
        <ResultPane
          connector={connector}
          name={tab.title}
          resource={tab.resource}
          state={query.state}
          shown={shown}
          onRunAgain={run}
          base={base}
          onDatabase={(definition) => {
            onEdit({ definition, builder: true })
            forPlan.current = false
            ask({ definition: withParameters(definition), resource: tab.resource ?? '' })
          }}
          onStaged={setStaged}
          onFollow={onFollow}
          look={tab.look ?? tableLook}
          onLook={(look) => onEdit({ look })}
        />
      </SplitPane>
      {planning ? <PlanDialog connector={connector} asked={planning} onClose={() => setPlanning(null)} /> : null}
      {losing ? (
        <DiscardDialog
          count={stagedCount()}
          onClose={() => setLosing(null)}
          onDiscard={() => {
            setLosing(null)
            query.run(losing)
          }}
        />
      ) : null}
      {asking ? (
        <ParametersDialog
          names={asking.names}
          last={values}
          onClose={() => setAsking(null)}
          onRun={(parameters) => {
            setAsking(null)
            setValues((before) => ({ ...before, ...parameters }))
            send({ definition: { mode: 'raw', rawQuery: asking.text }, parameters })
          }}
        />
      ) : null}
      {filling ? (
        <PresetValuesDialog
          connectorId={connector.id}
          presetId={tab.presetId}
          parameters={filling.parameters}
          last={filled}
          toReview={changesRows(filling.asked.definition)}
          onClose={() => setFilling(null)}
          onRun={(parameters) => {
            setFilling(null)
            setFilled(parameters)
            send({ ...filling.asked, parameters })
          }}
        />
      ) : null}
      {reviewing ? (
        <ReviewDialog
          connector={connector}
          changes={reviewing}
          onClose={() => setReviewing(null)}
          onWritten={() => setReviewing(null)}
        />
      ) : null}
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
