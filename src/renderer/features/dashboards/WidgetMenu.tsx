import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ViewParts } from './dashboard-source.ts'
import classes from './dashboards.module.css'

export const WidgetMenu: ViewParts['Actions'] = ({ title, actions }) => {
  const { t } = useTranslation('dashboards')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          className={classes.menu}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('widget.actions', { title })}
        >
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ id, label, icon: Icon, run }) => (
          <Menu.Item key={id} leftSection={<Icon size={14} />} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
