import { SegmentedControl, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../../contract/operations.ts'
import type { ViewedList } from '../../../contract/saved-views.ts'
import { useCommands } from '../../commands/commands.ts'
import { DataTable } from '../DataTable.tsx'
import { SearchField, Toolbar } from '../Toolbar.tsx'
import { listProps } from '../list-props.ts'
import type { DataTableProps } from '../table.types.ts'
import { BulkBar } from './BulkBar.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import { ClearFilters } from './ClearFilters.tsx'
import { FilterMenu } from './FilterMenu.tsx'
import { type MenuPlace, RowMenu } from './RowMenu.tsx'
import { SavedViews } from './SavedViews.tsx'
import { SpanFilter } from './SpanFilter.tsx'
import { needsServer, suited, takes, useActionName, useListActions } from './use-list-actions.tsx'
import type { ListAddress } from './use-list-address.ts'
import { type SelectableList, useSelection } from './use-selection.ts'
import { useShownColumns } from './use-shown-columns.ts'
import classes from './work-list.module.css'
import type { ChoiceFilter, ListAction } from './work-list.types.ts'

interface WorkListProps<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rowKey' | 'rowHref' | 'onOpen' | 'activeKey' | 'onActiveChange' | 'isMuted' | 'empty'
> {
  /** Remembers widths, columns and views under this name. */
  id: ViewedList
  label: string
  list: SelectableList<Row>
  address: ListAddress
  nameOf: (row: Row) => string
  /** What the search field is called; without it the list is not searched. */
  search?: string
  /** Whether records of the list are archived. */
  archives?: boolean
  choices?: readonly ChoiceFilter[]
  /** Whether it is filtered by time, and what happened then: records were created unless told. */
  spans?: boolean | 'recorded'
  /** Filters of its own, beside the others. */
  more?: ReactNode
  actions: readonly ListAction<Row>[]
  /** Stale once something was done. */
  invalidates: readonly OperationId[]
  /** How many there are, in words; null until it is known. */
  total: string | null
  /** A part of a page, which is neither searched nor filtered. */
  part?: boolean
  /** Its actions have no keys for now: the user works in another list of the page. */
  quiet?: boolean
}

/** A list that people work in: searched, filtered, sorted, with columns of one's choice, and actions on one row or many. */
export function WorkList<Row>(props: WorkListProps<Row>): ReactNode {
  const { id, label, list, address, rowKey, nameOf, search, archives, choices = [], spans, more, actions } = props
  const { t } = useTranslation('lists')
  const shown = useShownColumns(id, props.columns)
  const [active, setActive] = useState<Row | null>(null)
  const [menu, setMenu] = useState<MenuPlace<Row> | null>(null)
  const { selected, chosen, select, clear, leave, beyond, reading } = useSelection(list, rowKey)
  const doing = useListActions({ nameOf, invalidates: props.invalidates, listed: list.rows, onDone: leave })
  const named = useActionName()
  const target = chosen.length > 0 ? chosen : active ? [active] : []
  useCommands([
    ...actions.map((action) => ({
      id: `list.${action.id}`,
      title: named(action, target),
      group: 'row' as const,
      icon: action.icon,
      needsServer: needsServer(action),
      when: !props.quiet && target.length > 0 && takes(action, target.length) && suited(action, target).length > 0,
      ...(action.shortcut ? { shortcut: action.shortcut } : {}),
      run: () => doing.run(action, target),
    })),
    {
      id: 'list.select-all',
      title: t('selected.allMatching'),
      when: !props.quiet && beyond !== null,
      run: () => beyond?.onSelect(),
    },
    {
      id: 'list.archived',
      title: t('archive.show'),
      when: Boolean(archives),
      run: () => address.setArchived(!address.archived),
    },
  ])
  const onActiveChange = (row: Row) => {
    setActive(row)
    props.onActiveChange?.(row)
  }
  const onMenu = (row: Row, x: number, y: number) => {
    const inside = selected.has(String(rowKey(row)))
    setMenu({ rows: inside ? chosen : [row], x, y })
  }
  return (
    <>
      {props.part ? null : (
        <div className={classes.bar}>
          <Toolbar
            right={
              <>
                {props.total === null ? null : (
                  <span role="status">
                    {/* Where there are no records, the list itself says so. */}
                    {list.rows.length === 0 ? <VisuallyHidden>{props.total}</VisuallyHidden> : props.total}
                  </span>
                )}
                <SavedViews list={id} columns={shown.chosen} />
                <ColumnChooser columns={props.columns} shown={shown} />
              </>
            }
          >
            {search ? (
              <SearchField value={address.q} onChange={address.search} label={search} width={200} yields={144} />
            ) : null}
            {archives ? (
              <SegmentedControl
                size="xs"
                aria-label={t('archive.label')}
                value={address.archived ? 'archived' : 'active'}
                data={[
                  { value: 'active', label: t('archive.active') },
                  { value: 'archived', label: t('archive.archived') },
                ]}
                onChange={(value) => address.setArchived(value === 'archived')}
              />
            ) : null}
            {choices.map((choice) => (
              <FilterMenu
                key={choice.id}
                label={choice.label}
                options={choice.options}
                single={choice.single ?? false}
                chosen={address.values(choice.id)}
                onChange={(values) => address.choose(choice.id, values)}
              />
            ))}
            {more}
            {spans ? (
              <SpanFilter span={address.span} onChange={address.setSpan} {...(spans === 'recorded' && { of: spans })} />
            ) : null}
            <ClearFilters address={address} none={list.rows.length === 0 && !list.isLoading && list.error === null} />
          </Toolbar>
        </div>
      )}
      <DataTable
        id={id}
        label={label}
        rows={list.rows}
        columns={shown.columns}
        rowKey={rowKey}
        {...(props.rowHref ? { rowHref: props.rowHref } : {})}
        {...(props.onOpen ? { onOpen: props.onOpen } : {})}
        activeKey={props.activeKey ?? null}
        onActiveChange={onActiveChange}
        {...(props.isMuted ? { isMuted: props.isMuted } : {})}
        {...(address.sort ? { sort: address.sort } : {})}
        onSort={address.setSort}
        {...(actions.length > 0 ? { selection: { selected, onChange: select }, onMenu } : {})}
        {...listProps(list)}
        what={id}
        fits={props.part ?? false}
        empty={props.empty}
      />
      <BulkBar rows={chosen} actions={actions} doing={doing} beyond={beyond} reading={reading} onClear={clear} />
      <RowMenu at={menu} actions={actions} onRun={doing.run} onClose={() => setMenu(null)} />
      {doing.dialogs}
    </>
  )
}
