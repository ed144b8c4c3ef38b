import { Loader } from '@mantine/core'
import { IconFileSearch, IconLock, IconTableOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RowsTable } from '../../ui/RowsTable.tsx'
import { ApiFailure } from '../../api/client.ts'
import classes from './incoming.module.css'
import type { DataChoice } from './use-data-choice.ts'

function Problem({ failure }: { failure: { message: string; hint?: string } }) {
  return (
    <div className={classes.problem} role="alert">
      <b>{failure.message}</b>
      {failure.hint ? <p>{failure.hint}</p> : null}
    </div>
  )
}

function Content({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { rows, tablesFailure, connectorsError } = data
  if (connectorsError) return <ErrorState compact error={connectorsError} />
  if (!data.place)
    return <EmptyState compact icon={IconFileSearch} title={t('data.noPath')} text={t('data.noPathText')} />
  if (data.reach && !data.mayRead) {
    return (
      <EmptyState
        compact
        icon={IconLock}
        title={t('data.noConnector')}
        text={t('data.noConnectorText', { folder: data.place.folder })}
      />
    )
  }
  const failure = tablesFailure ?? rows.error ?? rows.data?.stages[0]?.error
  if (failure) {
    return failure instanceof ApiFailure ? (
      <ErrorState compact error={failure} onRetry={() => void rows.refetch()} />
    ) : (
      <Problem failure={failure} />
    )
  }
  const stage = rows.data?.stages[0]
  if (data.tables?.length === 0) return <EmptyState compact icon={IconTableOff} title={t('data.noTables')} />
  if (!stage) return null
  return (
    <RowsTable
      columns={stage.columns}
      rows={stage.rows}
      label={t('data.rows')}
      empty={<EmptyState compact icon={IconTableOff} title={t('data.noRows')} text={t('data.noRowsText')} />}
    />
  )
}

/** The first rows of the file, as the executor reads them. */
export function DataRows({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { rows } = data
  const stage = rows.data?.stages[0]
  const busy = rows.isFetching
  return (
    <section className={classes.rows} aria-label={t('data.rows')} aria-busy={busy}>
      <div className={classes.bar} role="status">
        {busy ? <Loader size={12} /> : null}
        <span>
          {busy
            ? t('data.reading')
            : stage && !stage.error
              ? `${t('data.first', { count: stage.rows.length })} · ${t('data.columns', { count: stage.columns.length })}`
              : t('data.rows')}
        </span>
      </div>
      <div className={classes.grow}>
        <Content data={data} />
      </div>
    </section>
  )
}
