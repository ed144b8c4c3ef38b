import { Menu } from '@mantine/core'
import {
  IconArrowAutofitWidth,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconArrowsSort,
  IconChartBar,
  IconColumns,
  IconEyeOff,
  IconPin,
  IconPinnedOff,
} from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryField } from '../../../contract/query-values.ts'
import { MenuEntry } from '../MenuEntry.tsx'
import { isNumber } from './cell.rules.ts'
import classes from './DataGrid.module.css'

export interface GridSorting {
  sort: { field: number; order: 'asc' | 'desc' } | null
  onSort(sort: GridSorting['sort']): void
}

interface GridHeaderProps {
  fields: readonly QueryField[]
  columns: { order: readonly number[]; pinned: number; shown: readonly number[]; edges: readonly number[] }
  gutter: number
  sorting: GridSorting | undefined
  /** Absent: columns have no profile. `field` is its number. */
  onProfile: ((field: number) => void) | undefined
  /** The first column in sight behind the pinned ones, and one behind the last. */
  seen: readonly [number, number]
  onResize: (field: number, width: number) => void
  /** To what is in sight. */
  onFit: (field: number) => void
  onPin: (column: number) => void
  onMove: (column: number, by: -1 | 1) => void
  onHide: (column: number) => void
  onReset: () => void
}

/** Names and types over the columns: each opens a menu, and has a handle at its right edge. */
export function GridHeader(props: GridHeaderProps) {
  const { columns, gutter, seen } = props
  const { pinned, edges } = columns
  const cells = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, offset) => (
      <HeaderCell key={columns.order[from + offset]} column={from + offset} {...props} />
    ))
  return (
    <div className={classes.header} role="row" aria-rowindex={1}>
      <div className={classes.fixed} data-header>
        <div className={classes.number} style={{ width: gutter }} role="columnheader" aria-label="#" />
        {cells(0, pinned)}
      </div>
      <div style={{ width: (edges[seen[0]] ?? 0) - (edges[pinned] ?? 0), flex: 'none' }} />
      {cells(...seen)}
    </div>
  )
}

function HeaderCell({
  column,
  fields,
  columns,
  sorting,
  onProfile,
  onPin,
  onMove,
  onHide,
  onReset,
  onResize,
  onFit,
}: GridHeaderProps & { column: number }) {
  const { t } = useTranslation()
  const index = columns.order[column] ?? 0
  const field = fields[index]
  const width = columns.shown[column] ?? 0
  const isPinned = column < columns.pinned
  if (!field) return null
  const sorted = sorting?.sort?.field === index ? sorting.sort.order : null
  return (
    <div
      className={classes.headerCell}
      role="columnheader"
      aria-colindex={column + 2}
      aria-sort={sorted === null ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
      style={{ width }}
    >
      <Menu position="bottom-start">
        <Menu.Target>
          <button
            type="button"
            className={classes.name}
            tabIndex={-1}
            data-align={isNumber(field.type) || /^(numeric|decimal)/i.test(field.native) ? 'right' : undefined}
            title={`${field.name} · ${field.native || field.type}`}
          >
            {field.name}
            {sorted === null ? null : sorted === 'asc' ? (
              <IconArrowUp size={12} aria-hidden />
            ) : (
              <IconArrowDown size={12} aria-hidden />
            )}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{field.native || field.type}</Menu.Label>
          {sorting ? (
            <>
              <Menu.Item
                leftSection={<IconArrowUp size={14} />}
                onClick={() => sorting.onSort({ field: index, order: 'asc' })}
              >
                {t('grid.sortUp')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowDown size={14} />}
                onClick={() => sorting.onSort({ field: index, order: 'desc' })}
              >
                {t('grid.sortDown')}
              </Menu.Item>
              {sorting.sort ? (
                <Menu.Item leftSection={<IconArrowsSort size={14} />} onClick={() => sorting.onSort(null)}>
                  {t('grid.unsort')}
                </Menu.Item>
              ) : null}
              <Menu.Divider />
            </>
          ) : null}
          {onProfile ? (
            <MenuEntry needsServer leftSection={<IconChartBar size={14} />} onClick={() => onProfile(index)}>
              {t('grid.profile')}
            </MenuEntry>
          ) : null}
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
            onClick={() => onPin(column)}
          >
            {isPinned ? t('grid.unpin') : t('grid.pin')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowLeft size={14} />} onClick={() => onMove(column, -1)}>
            {t('grid.moveLeft')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowRight size={14} />} onClick={() => onMove(column, 1)}>
            {t('grid.moveRight')}
          </Menu.Item>
          <Menu.Item leftSection={<IconEyeOff size={14} />} onClick={() => onHide(column)}>
            {t('grid.hide')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowAutofitWidth size={14} />} onClick={() => onFit(index)}>
            {t('grid.fit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconColumns size={14} />} onClick={onReset}>
            {t('grid.resetColumns')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Handle
        label={t('grid.width', { name: field.name })}
        width={width}
        onResize={(next) => onResize(index, next)}
        onFit={() => onFit(index)}
      />
    </div>
  )
}

function Handle({
  label,
  width,
  onResize,
  onFit,
}: {
  label: string
  width: number
  onResize: (width: number) => void
  onFit: () => void
}) {
  const start = useRef<{ x: number; width: number } | null>(null)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (start.current) onResize(start.current.width + event.clientX - start.current.x)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onResize(width + by)
  }
  return (
    <div
      className={classes.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      tabIndex={-1}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (start.current = null)}
      onKeyDown={onKeyDown}
      onDoubleClick={onFit}
    />
  )
}
