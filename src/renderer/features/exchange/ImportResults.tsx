import { translateMessage } from '../../i18n/translate.ts'
import { IconDownload, IconFileDiff, IconListSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importActions } from '../../../contract/exchange.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { downloadText } from '../../ui/download.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { ActionBadge } from './ActionBadge.tsx'
import { KindName } from './KindName.tsx'
import { ResultDetail } from './ResultDetail.tsx'
import { type BundleIndex, recordOf } from './bundle-index.ts'
import classes from './exchange.module.css'
import { type ImportAction, type ImportRun, type ResultRow, diagnosticsOf, errorsText } from './import-state.ts'
import type { Bundle } from './use-bundle.ts'
import { countText } from '../../ui/format.ts'

/** `v3 → v4`, `v1`: where a record stands and where it comes to. */
const versionsOf = ({ from_version: from, to_version: to }: ResultRow) =>
  [...new Set([from, to])].flatMap((one) => (one === undefined ? [] : `v${one}`)).join(' → ')

/** The message of a row, or else of the first thing found in it; empty: there is none, or the action says it already. */
function messageOf(row: ResultRow): string {
  if (row.code === 'import_same') return ''
  const [first] = diagnosticsOf(row.validation)
  return translateMessage({
    ...(row.message === undefined ? first : row),
    message: row.message ?? first?.message ?? '',
  })
}

/** `withMessages`: records have some; without any they would be a column of nothing. */
function useColumns(index: BundleIndex | null, withMessages: boolean) {
  const { t } = useTranslation('exchange')
  return useMemo(
    (): TableColumn<ResultRow>[] => [
      {
        id: 'line',
        header: t('columns.line'),
        width: 64,
        align: 'right',
        yields: 2,
        cell: (row) => {
          const line = countText(index && recordOf(index, row)?.line)
          return line === undefined ? null : <span className={classes.faint}>{line}</span>
        },
      },
      {
        id: 'action',
        header: t('columns.action'),
        minWidth: 124,
        grow: 0,
        cell: (row) => <ActionBadge action={row.action} />,
      },
      {
        id: 'kind',
        header: t('columns.kind'),
        minWidth: 148,
        grow: 0,
        yields: 3,
        cell: (row) => t(`kind.${row.kind}`),
      },
      { id: 'name', header: t('columns.name'), minWidth: 172, cell: (row) => <KindName {...row} /> },
      { id: 'version', header: t('columns.version'), width: 80, align: 'right', yields: 1, cell: versionsOf },
      ...(withMessages
        ? [
            {
              id: 'message',
              header: t('columns.message'),
              minWidth: 220,
              grow: 2.5,
              wraps: 6,
              cell: (row: ResultRow) => {
                const text = messageOf(row)
                return text === '' ? null : (
                  <span title={text}>
                    <CodeWords text={text} />
                  </span>
                )
              },
            },
          ]
        : []),
    ],
    [t, index, withMessages],
  )
}

const keyOf = (row: ResultRow) => row.index

interface ImportResultsProps {
  run: ImportRun
  bundle: Bundle
  runKey: string
}

/** What became, or would become, of each record. */
export function ImportResults({ run, bundle, runKey }: ImportResultsProps) {
  const { t } = useTranslation('exchange')
  const withMessages = useMemo(() => run.rows.some((row) => messageOf(row) !== ''), [run.rows])
  const columns = useColumns(bundle.index, withMessages)
  const [filter, setFilter] = useState<ImportAction | 'all'>('all')
  const [chosen, setChosen] = useState<ResultRow | null>(null)
  const rows = useMemo(
    () => (filter === 'all' ? run.rows : run.rows.filter((row) => row.action === filter)),
    [run.rows, filter],
  )
  // What went wrong comes first, until another is chosen.
  const shown = rows.find((row) => row.index === chosen?.index) ?? rows.find(({ action }) => action === 'error') ?? null
  const tabs = [
    { id: 'all' as const, label: t('action.all'), count: run.rows.length },
    ...importActions
      .filter((action) => run.counts[action] > 0 || action === filter)
      .map((action) => ({
        id: action,
        label: t(`action.${action}`),
        count: run.counts[action],
        ...(action === 'error' ? { tone: 'failed' as const } : {}),
      })),
  ]
  const table = (
    <DataTable
      id="import-results"
      label={t('results')}
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      activeKey={shown?.index ?? null}
      onActiveChange={setChosen}
      isMuted={(row) => row.action === 'unchanged' || row.action === 'skip'}
      empty={<EmptyState icon={IconListSearch} title={t('noRows')} compact />}
    />
  )
  return (
    <PaneTabs
      id="import-actions"
      label={t('results')}
      tabs={tabs}
      active={filter}
      onChange={setFilter}
      right={
        run.counts.error > 0 ? (
          <CommandButton
            id="import.download-errors"
            label={t('downloadErrors')}
            variant="default"
            size="compact-xs"
            icon={IconDownload}
            onClick={() => downloadText('import-errors.ndjson', errorsText(run.rows), 'application/x-ndjson')}
          />
        ) : null
      }
    >
      <SplitPane id="import" direction="vertical" initial={0.55} minSize={120}>
        {table}
        {shown ? (
          <ResultDetail row={shown} bundle={bundle} runKey={runKey} applied={!run.dryRun} />
        ) : (
          <EmptyState icon={IconFileDiff} title={t('detail.choose')} text={t('detail.chooseText')} compact />
        )}
      </SplitPane>
    </PaneTabs>
  )
}
