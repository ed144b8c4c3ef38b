import { Button, NumberInput, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  type DashboardDetail,
  type DashboardState,
  submitWidget,
  updateDashboard,
} from '../../../contract/dashboards.ts'
import { getJobRun } from '../../../contract/job-runs.ts'
import type {
  FieldMappingWidget,
  FormField,
  FormWidget,
  RunButtonWidget,
} from '../../../language/dashboard/dashboard.types.ts'
import { isAtStart } from '../../../language/dashboard/form-values.ts'
import { ifMatch } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { JobRunBadge } from '../job-runs/JobRunBadge.tsx'
import { OptionPicker, noOptions } from './OptionPicker.tsx'
import { PlainWidget, Truncated, titleOf } from './WidgetFrame.tsx'
import { optionsKey, useViewing } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { useEntered } from './form-draft.ts'

const textIn = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** null: it is not saved yet, so nothing is kept or started. */
type Saved = DashboardDetail | null

interface FieldProps {
  form: string
  field: FormField
}

function Field({ form, field }: FieldProps) {
  const { forms, labels, setField, setLabels } = useEntered()
  const side = `${form}/${field.key}`
  const { choice } = useViewing()
  const value = forms[form]?.[field.key]
  const set = (next: unknown) => setField(form, field.key, next)
  const shared = { label: field.label ?? field.key, description: field.description ?? undefined }
  switch (field.widget) {
    case 'number':
      return (
        <NumberInput
          {...shared}
          withAsterisk={field.required}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => set(typeof next === 'number' ? next : null)}
        />
      )
    case 'date':
    case 'text':
      return (
        <TextInput
          {...shared}
          type={field.widget === 'date' ? 'date' : 'text'}
          withAsterisk={field.required}
          value={textIn(value)}
          onChange={(event) => set(event.currentTarget.value || null)}
        />
      )
    case 'switch':
      return <Switch {...shared} checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
    case 'select':
    case 'multiselect':
    case 'file':
      return (
        <OptionPicker
          {...shared}
          required={field.required}
          multiple={field.widget === 'multiselect'}
          value={Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value : null}
          options={field.options}
          labels={labels[side]}
          onLabels={(next) => setLabels(side, next)}
          from={{ widgetId: form, side: field.key, draft: forms[form], choice }}
          onChange={set}
        />
      )
  }
}

export function FormView({ widget }: { widget: FormWidget }) {
  const { t } = useTranslation('dashboards')
  const { forms, reset } = useEntered()
  const { fields } = widget
  return (
    <PlainWidget widget={widget}>
      <ScrollRegion label={titleOf(widget)} className={classes.form}>
        {fields.map((field) => (
          <Field key={field.key} form={widget.id} field={field} />
        ))}
        {fields.some((field) => field.default !== null) ? (
          <div>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isAtStart(fields, forms[widget.id] ?? {})}
              onClick={() => reset(widget)}
            >
              {t('form.reset')}
            </Button>
          </div>
        ) : null}
      </ScrollRegion>
    </PlainWidget>
  )
}

/** All targets that the connected system names, page after page. */
function useTargets(widget: FieldMappingWidget) {
  const { source, choice } = useViewing()
  return useInfiniteQuery({
    queryKey: [optionsKey, source.key, widget.id, source.keyOf?.(widget.id), 'targets', choice],
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      source.options?.(
        widget.id,
        { side: 'target', ...choice, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      ) ?? noOptions,
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: source.options !== undefined,
  })
}

const labelsOf = (labels: Readonly<Record<string, string>> = {}, values: readonly string[]) =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([value, label]) => (values.includes(value) ? [[value, label.slice(0, 1000)]] : [])),
  )

export function MappingView({ dashboard, widget }: { dashboard: Saved; widget: FieldMappingWidget }) {
  const { t } = useTranslation('dashboards')
  const { can } = useSession()
  const { choice } = useViewing()
  const entered = useEntered()
  const mapping = entered.mappings[widget.id] ?? {}
  const targets = useTargets(widget)
  const save = useAction(updateDashboard, { invalidates: ['getDashboard'] })
  const found = targets.data?.pages.flatMap((page) => page.options) ?? []
  const truncated = targets.data?.pages.find((page) => page.truncated)?.truncated
  const [sourceSide, targetSide] = [`${widget.id}/source`, `${widget.id}/target`]
  const labels = new Map([
    ...Object.entries(entered.labels[targetSide] ?? {}),
    ...found.map(({ value, label }): [string, string] => [value, label]),
  ])
  // Those that must be mapped come first, and none that was mapped is lost.
  const all = [...new Set([...widget.required, ...Object.keys(mapping), ...found.map(({ value }) => value)])]
  const state = JSON.parse(dashboard?.state ?? '{}') as DashboardState // by the contract
  const saved = state.mappings?.[widget.id] ?? {}
  const targetsOf = (one: Record<string, string>) => Object.keys(one).length
  const dirty =
    targetsOf(saved) !== targetsOf(mapping) ||
    Object.entries(mapping).some(([target, source]) => saved[target] !== source)
  const doSave = () =>
    dashboard &&
    save.mutate(
      {
        params: { id: dashboard.id },
        body: {
          state: {
            ...state,
            mappings: { ...state.mappings, [widget.id]: { ...mapping } },
            labels: {
              ...state.labels,
              [sourceSide]: labelsOf(entered.labels[sourceSide], Object.values(mapping)),
              [targetSide]: labelsOf(entered.labels[targetSide], Object.keys(mapping)),
            },
          },
        },
        headers: ifMatch(dashboard),
      },
      { onSuccess: () => notifications.show({ message: t('mapping.saved') }) },
    )
  return (
    <PlainWidget widget={widget}>
      <ScrollRegion label={titleOf(widget)} className={classes.form}>
        {targets.error ? (
          <ErrorState what="resource" error={targets.error} onRetry={() => void targets.refetch()} compact />
        ) : null}
        {all.map((target) => (
          <OptionPicker
            key={target}
            label={labels.get(target) ?? target}
            required={widget.required.includes(target)}
            multiple={false}
            value={mapping[target] ?? null}
            options={null}
            from={{ widgetId: widget.id, side: 'source', draft: mapping, choice }}
            labels={entered.labels[sourceSide]}
            onLabels={(next) => entered.setLabels(sourceSide, next)}
            onChange={(source) => {
              entered.setMapping(widget.id, target, typeof source === 'string' ? source : null)
              entered.setLabels(targetSide, { [target]: labels.get(target) ?? target })
            }}
          />
        ))}
        {targets.hasNextPage ? (
          <Button
            variant="default"
            size="compact-xs"
            loading={targets.isFetchingNextPage}
            onClick={() => void targets.fetchNextPage()}
          >
            {t('options.more')}
          </Button>
        ) : null}
        {truncated ? <Truncated truncated={truncated} /> : null}
      </ScrollRegion>
      {save.error ? <Failure failure={{ message: save.error.message, details: save.error.details }} /> : null}
      {can('updateDashboard') ? (
        <div>
          <Button
            size="compact-xs"
            variant="default"
            disabled={!dirty || !dashboard}
            loading={save.isPending}
            onClick={doSave}
          >
            {t('mapping.save')}
          </Button>
        </div>
      ) : null}
    </PlainWidget>
  )
}

/** Starts the job with what was entered, and follows the job run. */
export function RunButtonView({ dashboard, widget }: { dashboard: Saved; widget: RunButtonWidget }) {
  const { t } = useTranslation('dashboards')
  const { can } = useSession()
  const { forms, mappings } = useEntered()
  const [asking, setAsking] = useState(false)
  const submit = useAction(submitWidget, { invalidates: ['listAllJobRuns'] })
  const label = widget.label ?? t('run.start')
  const start = () => {
    setAsking(false)
    if (!dashboard) return
    const values = widget.form === null ? {} : (forms[widget.form] ?? {})
    const mapped = Object.fromEntries(
      widget.mappings.flatMap((id) => (mappings[id] ? [[id, { ...mappings[id] }]] : [])),
    )
    submit.mutate({ params: { id: dashboard.id, widgetId: widget.id }, body: { values, mappings: mapped } })
  }
  const allowed = can('submitWidget') && dashboard?.job_status !== 'archived'
  return (
    <PlainWidget widget={widget}>
      <div className={classes.run}>
        <Button
          leftSection={<IconPlayerPlay size={14} />}
          disabled={!allowed}
          title={allowed ? undefined : t('run.notAllowed')}
          loading={submit.isPending}
          onClick={() => (widget.confirm === null ? start() : setAsking(true))}
        >
          {label}
        </Button>
        {submit.data ? <Started id={submit.data.id} /> : null}
      </div>
      {submit.error ? <Failure failure={{ message: submit.error.message, details: submit.error.details }} /> : null}
      <ConfirmDialog
        opened={asking}
        title={label}
        text={widget.confirm ?? ''}
        confirmLabel={label}
        onConfirm={start}
        onClose={() => setAsking(false)}
      />
    </PlainWidget>
  )
}

function Started({ id }: { id: number }) {
  const { t } = useTranslation('dashboards')
  const run = useOperation(getJobRun, { params: { id } })
  return (
    <span role="status" className={classes.started}>
      <Link to={paths.jobRun(id)}>{t('run.jobRun', { id })}</Link>
      {run.data ? <JobRunBadge run={run.data} /> : null}
    </span>
  )
}
