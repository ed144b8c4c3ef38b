import { Button, CloseButton, Menu } from '@mantine/core'
import { IconChevronDown, IconCircleCheck, IconDownload, IconFileOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run, RunStep } from '../../../contract/runs.ts'
import {
  type RunReject,
  type RunRejectGroup,
  downloadRunRejects,
  listRunRejectGroups,
  listRunRejects,
} from '../../../contract/run-rejects.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { Value } from '../../ui/Value.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { RejectGroups } from './RejectGroups.tsx'
import { RejectsRerun } from './RejectsRerun.tsx'
import pageClasses from './RunPage.module.css'
import classes from './rejects.module.css'
import { namesIn } from './fix-rejects.rules.ts'
import { briefReason, fieldWidth, fieldsOf, isShownByFields, numberFieldsOf, reasonWidth } from './reject-fields.ts'
import { dateText, numberText } from '../../ui/format.ts'
import { useUnreachable } from '../../ui/use-unreachable.ts'
import { translateReason } from '../../i18n/translate.ts'

/** Rows that the server keeps of one run. */
const kept = 10_000

/** Why it was rejected, then the record; attempt and step only where they differ, and the reason unless one is said above for all. */
function useColumns(rejects: readonly RunReject[], showAttempt: boolean, isOneReason: boolean) {
  const { t } = useTranslation('runs')
  // As text: the columns stay the same ones while more rows of the same kind arrive.
  const names = fieldsOf(rejects).join('\u0000')
  const numbers = numberFieldsOf(rejects).join('\u0000')
  const widths = fieldsOf(rejects)
    .map((name) => fieldWidth(rejects, name))
    .join(' ')
  const reasons = reasonWidth(rejects.map(briefReason))
  const showReason = !isOneReason || !rejects.every(isShownByFields)
  const showStep = new Set(rejects.map(({ step }) => step)).size > 1
  return useMemo(() => {
    const right = new Set(numbers.split('\u0000'))
    const attempt: TableColumn<RunReject> = {
      id: 'attempt',
      header: t('rejects.attempt'),
      width: 72,
      align: 'right',
      cell: (reject) => reject.attempt,
    }
    const step: TableColumn<RunReject> = {
      id: 'step',
      header: t('rejects.step'),
      width: 96,
      cell: (reject) => reject.step,
    }
    const reason: TableColumn<RunReject> = {
      id: 'reason',
      header: t('rejects.reason'),
      minWidth: reasons,
      wraps: 2,
      cell: (reject) => (
        <span title={translateReason(reject)}>
          <CodeWords text={briefReason(reject)} />
        </span>
      ),
    }
    const wide = widths.split(' ').map(Number)
    const fields = (names === '' ? [] : names.split('\u0000')).map((name, at): TableColumn<RunReject> => ({
      id: `row.${name}`,
      header: name,
      ...(wide[at] === undefined ? {} : { width: wide[at] }),
      align: right.has(name) ? 'right' : 'left',
      mono: true,
      cell: (reject) => <Value value={Object.hasOwn(reject.row, name) ? reject.row[name] : undefined} />,
      isFaulty: (reject) => namesIn(reject.params).includes(name),
    }))
    return [...(showReason ? [reason] : []), ...(showAttempt ? [attempt] : []), ...(showStep ? [step] : []), ...fields]
  }, [names, numbers, widths, reasons, showReason, showAttempt, showStep, t])
}

const none: readonly RunRejectGroup[] = []

const rejectKey = (reject: RunReject) => reject.id

function Detail({ reject, onClose }: { reject: RunReject; onClose(): void }) {
  const { t } = useTranslation('runs')
  return (
    <ScrollRegion className={classes.detail} label={t('rejects.row')}>
      <div className={classes.detailHead}>
        <p>
          <b>{reject.step}</b>: <CodeWords text={translateReason(reject)} />
        </p>
        <CloseButton aria-label={t('rejects.close')} onClick={onClose} />
      </div>
      <JsonView value={reject.row} />
    </ScrollRegion>
  )
}

/** The rows that are listed, as a file. */
function ExportMenu({ run, query }: { run: Run; query: { step?: string; like?: number } }) {
  const { t } = useTranslation('runs')
  const unreachable = useUnreachable()
  const formats = [
    { format: 'csv', extension: 'csv', label: t('rejects.csv'), formula_guard: true },
    { format: 'ndjson', extension: 'jsonl', label: t('rejects.jsonLines') },
  ] as const
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          disabled={unreachable !== undefined}
          title={unreachable}
        >
          {t('rejects.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ extension, label, ...form }) => (
          <Menu.Item
            key={extension}
            component="a"
            href={urlOf(downloadRunRejects, { id: run.id }, { ...query, ...form })}
            download={`run-${run.id}-rejects.${extension}`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function NoRejects({ run, step }: { run: Run; step: RunStep | null }) {
  const { t } = useTranslation('runs')
  const total = run.reject_count ?? 0
  return run.log_removed_at && total > 0 ? (
    <EmptyState
      icon={IconFileOff}
      title={t('rejects.removedTitle')}
      text={t('rejects.removedText', { at: dateText(new Date(run.log_removed_at), 'moment'), count: total })}
      compact
    />
  ) : (
    <EmptyState
      icon={IconCircleCheck}
      title={step ? t('rejects.filteredTitle') : t('rejects.emptyTitle')}
      text={step ? undefined : t('rejects.emptyText')}
      compact
    />
  )
}

/** The rows that were rejected: by reason, then row by row, and the chosen row in full below. */
export function RejectsPane({ run, step }: { run: Run; step: RunStep | null }) {
  const { t } = useTranslation('runs')
  const { data: all = none } = useOperation(listRunRejectGroups, { params: { id: run.id } })
  const groups = step ? all.filter((group) => group.step === step.key) : all
  const [like, setLike] = useState<number | null>(null)
  // A reason of another step than the chosen one filters nothing.
  const chosen = groups.find(({ first_id }) => first_id === like) ?? null
  const query = { ...(step ? { step: step.key } : {}), ...(chosen ? { like: chosen.first_id } : {}) }
  const list = useList(listRunRejects, { params: { id: run.id }, query })
  const [shown, setShown] = useState<number | null>(null)
  const reject = list.rows.find(({ id }) => id === shown) ?? null
  const columns = useColumns(list.rows, run.attempt > 1, chosen !== null || groups.length === 1)
  const total = run.reject_count ?? 0
  const note =
    total > kept && !step && !chosen
      ? t('rejects.capped', { total: numberText(total), kept: numberText(kept) })
      : // How many they are stands above.
        (list.total ?? 0) > list.rows.length
        ? t('rejects.total', { shown: numberText(list.rows.length), total: numberText(list.total ?? 0) })
        : null
  const table = (
    <DataTable
      rows={list.rows}
      columns={columns}
      rowKey={rejectKey}
      label={t('rejects.label')}
      {...listProps(list)}
      what="rejects"
      onOpen={({ id }) => setShown(id)}
      {...(reject ? { activeKey: reject.id, onActiveChange: ({ id }: RunReject) => setShown(id) } : {})}
      empty={<NoRejects run={run} step={step} />}
    />
  )
  return (
    <div className={pageClasses.fill}>
      {groups.length > 0 ? (
        <RejectGroups
          groups={groups}
          total={groups.reduce((sum, { count }) => sum + count, 0)}
          chosen={chosen?.first_id ?? null}
          onChoose={setLike}
        />
      ) : null}
      <div className={classes.rows}>
        {reject ? (
          <SplitPane id="runs.rejects" direction="vertical" initial={0.6} minSize={84}>
            {table}
            <Detail reject={reject} onClose={() => setShown(null)} />
          </SplitPane>
        ) : (
          table
        )}
      </div>
      {list.total ? (
        <div className={pageClasses.note}>
          <span>{note}</span>
          <RejectsRerun run={run} step={step?.key ?? chosen?.step ?? null} />
          <ExportMenu run={run} query={query} />
        </div>
      ) : null}
    </div>
  )
}
