import { ActionIcon, Menu } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from '../table.types.ts'
import type { ShownColumns } from './use-shown-columns.ts'

interface ColumnChooserProps<Row> {
  /** All there are, shown or not. */
  columns: readonly TableColumn<Row>[]
  shown: ShownColumns<Row>
}

/** Which columns a list shows; the first names the record and stays. */
export function ColumnChooser<Row>({ columns, shown }: ColumnChooserProps<Row>) {
  const { t } = useTranslation('lists')
  return (
    <Menu position="bottom-end" closeOnItemClick={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon aria-label={t('columns.label')} title={t('columns.label')}>
          <IconColumns3 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('columns.label')}</Menu.Label>
        {columns.slice(1).map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={shown.isShown(column.id)}
            onChange={() => shown.toggle(column.id)}
          >
            {column.label ?? column.header}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={shown.reset}>{t('columns.reset')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
