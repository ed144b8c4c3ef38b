import { Button, Drawer } from '@mantine/core'
import { IconCircleCheck, IconDownload, IconFileOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Run, type RunReject, type RunStep, downloadRunRejects, listRunRejects } from '../../../contract/runs.ts'
import { urlOf } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Value } from '../../ui/Value.tsx'
import { absoluteTime } from '../../ui/time.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './RunPage.module.css'
import { fieldWidth, fieldsOf, numberFieldsOf } from './reject-fields.ts'
import { numberText } from '../../ui/format.ts'
import { translateReason } from '../../i18n/translate.ts'

/** Rows that the server keeps of one run. */
const kept = 10_000

function useColumns(rejects: readonly RunReject[], showAttempt: boolean) {
  const { t } = useTranslation('runs')
  // As text: the columns stay the same ones while more rows of the same kind arrive.
  const names = fieldsOf(rejects).join('\u0000')
  const numbers = numberFieldsOf(rejects).join('\u0000')
  const widths = fieldsOf(rejects)
    .map((name) => fieldWidth(rejects, name))
    .join(' ')
  return useMemo(() => {
    const right = new Set(numbers.split('\u0000'))
    const attempt: TableColumn<RunReject> = {
      id: 'attempt',
      header: t('rejects.attempt'),
      width: 72,
      align: 'right',
      cell: (reject) => reject.attempt,
    }
    const fixed: TableColumn<RunReject>[] = [
      { id: 'step', header: t('rejects.step'), width: 96, cell: (reject) => reject.step },
      {
        id: 'reason',
        header: t('rejects.reason'),
        minWidth: 320,
        cell: (reject) => (
          <span title={translateReason(reject)}>
            <CodeWords text={translateReason(reject)} />
          </span>
        ),
      },
    ]
    const wide = widths.split(' ').map(Number)
    const fields = (names === '' ? [] : names.split('\u0000')).map((name, at): TableColumn<RunReject> => ({
      id: `row.${name}`,
      header: name,
      ...(wide[at] === undefined ? {} : { width: wide[at] }),
      align: right.has(name) ? 'right' : 'left',
      mono: true,
      cell: (reject) => <Value value={Object.hasOwn(reject.row, name) ? reject.row[name] : undefined} />,
    }))
    return [...fixed, ...(showAttempt ? [attempt] : []), ...fields]
  }, [names, numbers, widths, showAttempt, t])
}

const rejectKey = (reject: RunReject) => reject.id

/** The rows that were set aside, each with its step and reason. */
export function RejectsPane({ run, step }: { run: Run; step: RunStep | null }) {
  const { t } = useTranslation('runs')
  const list = useList(listRunRejects, { params: { id: run.id }, query: step ? { step: step.key } : {} })
  const [opened, setOpened] = useState<RunReject | null>(null)
  const columns = useColumns(list.rows, run.attempt > 1)
  const total = run.reject_count ?? 0
  const note =
    total > kept && !step
      ? t('rejects.capped', { total: numberText(total), kept: numberText(kept) })
      : list.total
        ? t('rejects.total', { shown: numberText(list.rows.length), total: numberText(list.total) })
        : null
  return (
    <div className={classes.fill}>
      <DataTable
        rows={list.rows}
        columns={columns}
        rowKey={rejectKey}
        label={t('rejects.label')}
        {...listProps(list)}
        onOpen={setOpened}
        empty={
          run.log_removed_at && total > 0 ? (
            <EmptyState
              icon={IconFileOff}
              title={t('rejects.removedTitle')}
              text={t('rejects.removedText', { at: absoluteTime(new Date(run.log_removed_at)), count: total })}
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
      />
      {note ? (
        <div className={classes.note}>
          <span>{note}</span>
          <Button
            component="a"
            size="compact-xs"
            variant="subtle"
            leftSection={<IconDownload size={14} aria-hidden />}
            href={urlOf(downloadRunRejects, { id: run.id }, step ? { step: step.key } : {})}
            download={`run-${run.id}-rejects.csv`}
          >
            {t('rejects.download')}
          </Button>
        </div>
      ) : null}
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size={480}
        title={<b>{t('rejects.row')}</b>}
        closeButtonProps={{ 'aria-label': t('rejects.close') }}
      >
        {opened ? (
          <>
            <p className={classes.reason}>
              <b>{opened.step}</b>: <CodeWords text={translateReason(opened)} />
            </p>
            <JsonView value={opened.row} />
          </>
        ) : null}
      </Drawer>
    </div>
  )
}
