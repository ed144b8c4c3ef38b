import { Menu, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconApi,
  IconBook,
  IconCheck,
  IconKey,
  IconKeyboard,
  IconLock,
  IconLogout,
  IconMoon,
  IconSun,
  IconSunMoon,
  IconUserCircle,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandKeys } from '../../ui/Hint.tsx'
import { MenuEntry } from '../../ui/MenuEntry.tsx'
import classes from './Shell.module.css'
import { useTheme } from './theme-choice.ts'

export function UserMenu({ collapsed, onShortcuts }: { collapsed: boolean; onShortcuts: () => void }) {
  const { t } = useTranslation('shell')
  const { me, signOut, lock } = useSession()
  const { colorScheme } = useMantineColorScheme()
  const chooseTheme = useTheme()
  const name = me.user.display_name ?? me.user.username
  const leave = () => {
    signOut().catch((error: unknown) => notifications.show({ color: 'red', message: String(error) }))
  }
  const themes = [
    { value: 'light', label: t('user.light'), icon: IconSun },
    { value: 'dark', label: t('user.dark'), icon: IconMoon },
    { value: 'auto', label: t('user.system'), icon: IconSunMoon },
  ] as const
  return (
    <Menu position="right-end" width={220} offset={10}>
      <Menu.Target>
        <button type="button" className={classes.item} aria-label={t('user.menu', { name })}>
          <span className={classes.avatar} data-initials={name.slice(0, 2).toUpperCase()} aria-hidden />
          {collapsed ? null : <span className={classes.label}>{name}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.user.username} · {t(`user.role.${me.user.role}`)}
        </Menu.Label>
        <Menu.Item component={Link} to={paths.profile()} leftSection={<IconUserCircle size={15} />}>
          {t('user.profile')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.settings('api-keys')} leftSection={<IconKey size={15} />}>
          {t('user.apiKeys')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={15} />}
          rightSection={<CommandKeys command="show-shortcuts" />}
          onClick={onShortcuts}
        >
          {t('user.shortcuts')}
        </Menu.Item>
        <Menu.Item component={Link} to={paths.docs()} leftSection={<IconBook size={15} />}>
          {t('user.docs')}
        </Menu.Item>
        <Menu.Item component="a" href="/api/docs" target="_blank" rel="noreferrer" leftSection={<IconApi size={15} />}>
          {t('user.apiReference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('user.theme')}</Menu.Label>
        {themes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            closeMenuOnClick={false}
            leftSection={<Icon size={15} />}
            rightSection={colorScheme === value ? <IconCheck size={14} aria-hidden /> : undefined}
            onClick={() => chooseTheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {lock ? (
          <Menu.Item
            leftSection={<IconLock size={15} />}
            rightSection={<CommandKeys command="lock" />}
            onClick={() => void lock()}
          >
            {t('user.lock')}
          </Menu.Item>
        ) : null}
        <MenuEntry needsServer leftSection={<IconLogout size={15} />} onClick={leave}>
          {t('user.signOut')}
        </MenuEntry>
      </Menu.Dropdown>
    </Menu>
  )
}
