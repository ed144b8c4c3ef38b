import { Button, Loader } from '@mantine/core'
import { IconFileSearch, IconLock, IconTableOff, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { columnTypeOf } from '../../../language/task/column-types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RowsTable } from '../../ui/RowsTable.tsx'
import { ApiFailure } from '../../api/client.ts'
import { translateMessage, translateReason } from '../../i18n/translate.ts'
import { mayQuarantine } from './data-draft.rules.ts'
import classes from './incoming.module.css'
import type { DataChoice } from './use-data-choice.ts'
import { rowsShown } from './use-file-preview.ts'

interface ProblemProps {
  failure: { message: string; hint?: string }
  children: ReactNode
}

function Problem({ failure, children }: ProblemProps) {
  return (
    <div className={classes.problem} role="alert">
      <b>{failure.message}</b>
      {failure.hint ? <p>{failure.hint}</p> : null}
      {children}
    </div>
  )
}

/** The way out where single rows cannot be read: they go to the rejects of each run. */
function SetAside({ data, unread }: { data: DataChoice; unread: boolean }) {
  const { t } = useTranslation('incoming')
  if (!unread || data.read.quarantine || !mayQuarantine(data.read.format)) return null
  return (
    <Button size="compact-xs" variant="default" onClick={() => data.choose({ quarantine: true })}>
      {t('ragged.setAside')}
    </Button>
  )
}

/** What is to be known of the file beside its rows: lines of other lengths, names that were changed, rows that are set aside. */
function Remarks({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { ragged, totals, read, rows } = data
  const stage = rows.data?.stages[0]
  const rejects = read.quarantine ? (stage?.rejects ?? []) : []
  const notes = stage?.notes ?? []
  const shown = ragged && !read.quarantine
  const summed = totals !== null && !read.quarantine
  if (!shown && !summed && rejects.length === 0 && notes.length === 0) return null
  return (
    <div className={classes.remarks} role="status">
      {shown ? (
        <p>
          {t('ragged.some', {
            count: ragged.count,
            line: ragged.first.line,
            fields: ragged.first.fields,
            expected: ragged.expected,
          })}{' '}
          {stage?.error ? null : <SetAside data={data} unread />}
        </p>
      ) : null}
      {summed ? (
        <p>
          {t('ragged.totals', { line: totals })} {stage?.error || shown ? null : <SetAside data={data} unread />}
        </p>
      ) : null}
      {notes.map((note) => (
        <p key={note.message}>{translateMessage(note)}</p>
      ))}
      {rejects.length > 0 ? (
        <>
          <p>{t('ragged.aside', { count: stage?.rejected ?? rejects.length })}</p>
          <ul>
            {rejects.slice(0, mostRejects).map(({ row, ...why }) => (
              <li key={why.reason} title={typeof row['text'] === 'string' ? row['text'] : undefined}>
                {translateReason(why)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

/** In the dialog; the rest stands in the rejects of a run. */
const mostRejects = 5

function Content({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { rows, tablesFailure, connectorsError } = data
  if (connectorsError) return <ErrorState what="connectors" compact error={connectorsError} />
  if (data.upload.isOn && !data.place)
    return <EmptyState compact icon={IconUpload} title={t('upload.waiting')} text={t('upload.waitingText')} />
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
      <ErrorState what="rows" compact error={failure} onRetry={() => void rows.refetch()} />
    ) : (
      <Problem failure={failure}>
        <SetAside data={data} unread={failure.code === 'FILE_UNREADABLE' || failure.code === 'VALUE_INVALID'} />
      </Problem>
    )
  }
  const stage = rows.data?.stages[0]
  if (data.tables?.length === 0) return <EmptyState compact icon={IconTableOff} title={t('data.noTables')} />
  if (!stage) return null
  return (
    <RowsTable
      // With the types that `columns` knows, as the draft has them.
      columns={stage.columns.map((column) => ({ ...column, type: columnTypeOf(column.type) }))}
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
              ? `${t(stage.rows.length + (stage.rejected ?? 0) < rowsShown ? 'data.all' : 'data.first', { count: stage.rows.length })} · ${t('data.columns', { count: stage.columns.length })}`
              : t('data.rows')}
        </span>
      </div>
      <Remarks data={data} />
      <div className={classes.grow}>
        <Content data={data} />
      </div>
    </section>
  )
}
