import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../Kbd.tsx'
import { MenuEntry } from '../MenuEntry.tsx'
import { numberText } from '../format.ts'
import { needsServer, suited, takes, useActionName } from './use-list-actions.tsx'
import type { ListAction } from './work-list.types.ts'

export interface MenuPlace<Row> {
  rows: readonly Row[]
  x: number
  y: number
}

interface RowMenuProps<Row> {
  at: MenuPlace<Row> | null
  actions: readonly ListAction<Row>[]
  onRun: (action: ListAction<Row>, rows: readonly Row[]) => void
  onClose: () => void
}

/** What can be done with a row, or with the selection that it is a part of: at the pointer, or at the row for the keyboard. */
export function RowMenu<Row>({ at, actions, onRun, onClose }: RowMenuProps<Row>) {
  const { t } = useTranslation('lists')
  const named = useActionName()
  const rows = at?.rows ?? []
  const possible = actions.filter((action) => takes(action, rows.length) && suited(action, rows).length > 0)
  return (
    <Menu
      opened={at !== null && possible.length > 0}
      onChange={(opened) => opened || onClose()}
      position="bottom-start"
      offset={2}
      withInitialFocusPlaceholder={false}
      // The key that opens it is still on its way to the document.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: at?.x ?? 0, top: at?.y ?? 0, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('rowMenu')}>
        {rows.length > 1 ? (
          <Menu.Label>{t('selected.count', { count: rows.length, formatted: numberText(rows.length) })}</Menu.Label>
        ) : null}
        {possible.map((action) => {
          const Icon = action.icon
          return (
            <MenuEntry
              key={action.id}
              needsServer={needsServer(action)}
              leftSection={<Icon size={15} aria-hidden />}
              rightSection={action.shortcut ? <Kbd keys={action.shortcut} /> : undefined}
              {...(action.danger ? { c: 'var(--hg-status-failed-text)' } : {})}
              onClick={() => onRun(action, rows)}
            >
              {named(action, rows)}
            </MenuEntry>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
