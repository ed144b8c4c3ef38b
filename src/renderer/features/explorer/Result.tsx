import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload, IconSearch, IconSearchOff, IconTableOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { CommandButton, type CommandButtonProps } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { numberText } from '../../ui/format.ts'
import { DataGrid } from '../../ui/grid/DataGrid.tsx'
import type { DataGridHandle, GridRows } from '../../ui/grid/grid.types.ts'
import { durationText } from '../../ui/time.ts'
import { CellDialog } from './CellDialog.tsx'
import { ChartView } from './ChartView.tsx'
import { EditCellDialog } from './EditCellDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { FindBar, SearchedPart } from './FindBar.tsx'
import { GoToRow } from './GoToRow.tsx'
import { JsonResult } from './JsonResult.tsx'
import { ProfileDialog } from './ProfileDialog.tsx'
import { type Changes, ReviewDialog } from './ReviewDialog.tsx'
import { StagedBar } from './StagedBar.tsx'
import classes from './explorer.module.css'
import { asDefinition } from './find.rules.ts'
import type { RowLink } from './links.rules.ts'
import { type ResultLook, type ResultViewKind, resultViews } from './result-look.rules.ts'
import { useLinks } from './use-links.ts'
import { isSql, languageOf, tableOf } from './statements.rules.ts'
import type { ShownResult } from './use-query.ts'
import { useStaged } from './use-staged.ts'
import { editsInOrder, rowsInOrder, useView } from './use-view.ts'

export interface ResultProps {
  connector: Connector
  /** Of the tab, for the names of files. */
  name: string
  resource: string | null
  shown: boolean
  onRunAgain: () => void
  /** Conditions that the query is the same as, or can be said in the builder; null: it can’t. */
  base: ExplorerPresetDefinition | null
  /** Runs conditions in the system. */
  onDatabase: (definition: ExplorerPresetDefinition) => void
  /** Opens what a value refers to. */
  onFollow: (link: RowLink) => void
  /** How many changes wait for their review. */
  onStaged: (count: number) => void
  look: ResultLook
  onLook: (look: ResultLook) => void
}

/** Below the rows; where there is no room for its word, its icon stands for it. */
const FootButton = (props: CommandButtonProps) => (
  <CommandButton size="compact-xs" variant="default" className={classes.iconic ?? ''} hint={props.label} {...props} />
)

/** The rows that a query has given: as a table, a chart, or documents, with what can be done with them. */
export function Result({
  result,
  connector,
  name,
  resource,
  shown,
  base,
  onDatabase,
  onRunAgain,
  onStaged,
  onFollow,
  look,
  onLook,
}: ResultProps & { result: ShownResult }) {
  const { t } = useTranslation('explorer')
  const grid = useRef<DataGridHandle>(null)
  const [cell, setCell] = useState<{ row: number; field: number } | null>(null)
  const [exporting, setExporting] = useState(false)
  /** The field whose profile is shown. */
  const [profiled, setProfiled] = useState<number | null>(null)
  const [target, setTarget] = useState<{ row: number } | null>(null)
  // After the grid knows of the row.
  useEffect(() => {
    if (target) grid.current?.show(target.row)
  }, [target])
  const { fields, rows, durationMs } = result
  const { count, complete, error } = rows.state
  const language = languageOf(connector.type) ?? 'duckdb'
  const staged = useStaged(connector, resource, result)
  const stagedCount = staged?.count ?? 0
  useEffect(() => {
    onStaged(stagedCount)
    return () => onStaged(0)
  }, [onStaged, stagedCount])
  const [reviewing, setReviewing] = useState<Changes | null>(null)
  const read: GridRows = {
    count,
    at: (row) => rows.at(row),
    want: (first, last) => rows.want(first, last),
    load: (first, last) => rows.load(first, last),
  }
  const staging = staged?.source ?? read
  const added = staging.count - count
  const view = useView(result)
  const [finding, setFinding] = useState(false)
  const { order } = view
  const source = order ? rowsInOrder(staging, order, added) : staging
  const links = useLinks(connector, resource, result, (row) => source.at(row), onFollow)
  const rowOf = (row: number) => source.numberOf?.(row) ?? row
  const edits = staged && order ? editsInOrder(staged.grid, rowOf) : staged?.grid
  const findBar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (finding) findBar.current?.querySelector<HTMLInputElement>('[data-find]')?.focus()
  }, [finding])
  const condition = view.isSearching ? view.condition : null
  const asked = base ? asDefinition(base, condition, view.sort, fields) : null
  return (
    <div className={classes.result}>
      {finding ? (
        <div ref={findBar}>
          <FindBar
            key={result.queryId}
            view={view}
            fields={fields}
            onShow={({ row, field }) => grid.current?.show(row + added, field, false)}
            onClose={() => {
              setFinding(false)
              view.setCondition({ field: null, operator: 'contains', value: '' })
              view.setOnly(false)
              grid.current?.focus()
            }}
          />
        </div>
      ) : null}
      {source.count === 0 && complete ? (
        order ? (
          <EmptyState icon={IconSearchOff} title={t('find.none')} compact />
        ) : (
          <EmptyState
            icon={IconTableOff}
            title={t('result.empty')}
            text={t('result.emptyText', { count: fields.length })}
            compact
          />
        )
      ) : look.view === 'chart' ? (
        <ChartView
          name={name}
          result={result}
          order={order}
          chosen={look.chart}
          onChoose={(chart) => onLook({ ...look, chart })}
        />
      ) : look.view === 'json' ? (
        <JsonResult
          key={result.queryId}
          connectorId={connector.id}
          result={result}
          order={order}
          expression={look.jsonata ?? ''}
          onExpression={(jsonata) => onLook({ ...look, jsonata })}
        />
      ) : (
        <DataGrid
          key={result.queryId}
          ref={grid}
          label={t('result.label')}
          fields={fields}
          rows={source}
          table={resource === null || !isSql(language) ? 'table_name' : tableOf(connector.type, resource)}
          dialect={isSql(language) ? language : 'duckdb'}
          onOpenCell={({ row, column }) => {
            if (edits?.kindOf(row)) return edits.onEdit({ row, column })
            const place = { row: rowOf(row) - added, field: column }
            void rows.load(place.row, place.row).then(
              () => setCell(place),
              () => undefined, // told by the rows themselves
            )
          }}
          sorting={{ sort: view.sort, onSort: view.setSort }}
          onProfile={setProfiled}
          links={links}
          isMatch={view.isSearching ? (row, field) => row >= added && view.isMatch(row - added, field) : undefined}
          edits={edits}
        />
      )}
      <SearchedPart
        view={view}
        total={count}
        complete={complete}
        onDatabase={asked ? () => onDatabase(asked) : undefined}
      />
      {error ? (
        <div className={classes.lost} role="alert">
          {error.message}
          <Button size="compact-xs" variant="default" onClick={onRunAgain}>
            {t('result.again')}
          </Button>
        </div>
      ) : null}
      <div className={classes.foot}>
        <SegmentedControl
          size="xs"
          aria-label={t('look.label')}
          data={resultViews.map((value) => ({ value, label: t(`look.${value}`) }))}
          value={look.view}
          onChange={(view: ResultViewKind) => onLook({ ...look, view })}
        />
        <span>
          {order && order.length < (view.searched ?? count)
            ? t('find.shown', { formatted: numberText(order.length), of: numberText(view.searched ?? count) })
            : complete
              ? t('result.rows', { count, formatted: numberText(count) })
              : t('result.rowsSoFar', { formatted: numberText(count) })}
        </span>
        <span className={classes.lesser}>
          {t('result.columns', { count: fields.length, formatted: numberText(fields.length) })}
        </span>
        <span className={classes.least} title={t('result.durationTitle')}>
          {durationText(durationMs)}
        </span>
        <span className={classes.space} />
        {staged && look.view === 'table' ? (
          <StagedBar staged={staged} onReview={() => setReviewing(staged.changes())} />
        ) : null}
        <FootButton
          id="explorer.find"
          when={shown}
          label={t('find.button')}
          title={t('find.label')}
          icon={IconSearch}
          shortcut="f"
          aria-pressed={finding}
          onClick={() => setFinding(true)}
        />
        {order || look.view !== 'table' ? null : (
          <GoToRow onGo={async (row) => setTarget({ row: (await rows.reach(row)) + added })} />
        )}
        <FootButton
          id="explorer.export"
          opens
          when={shown}
          label={t('export.button')}
          title={t('export.title')}
          icon={IconDownload}
          shortcut="mod+shift+e"
          onClick={() => setExporting(true)}
        />
      </div>
      {cell ? (
        <CellDialog
          connectorId={connector.id}
          result={result}
          {...cell}
          onClose={() => setCell(null)}
          onMove={setCell}
        />
      ) : null}
      {staged?.cell?.field ? (
        <EditCellDialog
          field={staged.cell.field}
          value={staged.cell.value}
          onSave={staged.save}
          onClose={staged.close}
        />
      ) : null}
      {reviewing ? (
        <ReviewDialog
          connector={connector}
          changes={reviewing}
          onClose={() => setReviewing(null)}
          onWritten={() => {
            setReviewing(null)
            staged?.discard()
            onStaged(0)
            onRunAgain()
          }}
        />
      ) : null}
      {profiled === null ? null : (
        <ProfileDialog connector={connector} result={result} field={profiled} onClose={() => setProfiled(null)} />
      )}
      {exporting ? (
        <ExportDialog
          connectorId={connector.id}
          queryId={result.queryId}
          name={name}
          onClose={() => setExporting(false)}
        />
      ) : null}
    </div>
  )
}
