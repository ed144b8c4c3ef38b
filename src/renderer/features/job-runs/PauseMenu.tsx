import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuChoice } from './MenuChoice.tsx'

interface PauseMenuProps {
  allowed: boolean
  busy: boolean
  onPause(): void
  onStop(): void
}

/** Pausing lets what runs end, or stops it. */
export function PauseMenu({ allowed, busy, onPause, onStop }: PauseMenuProps) {
  const { t } = useTranslation('jobRuns')
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={14} />}
          rightSection={<IconChevronDown size={12} />}
          loading={busy}
          disabled={!allowed}
          title={allowed ? undefined : t('actions.notAllowed')}
        >
          {t('actions.pause')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuChoice
          icon={IconPlayerPause}
          title={t('actions.pauseLet')}
          text={t('actions.pauseLetText')}
          onClick={onPause}
        />
        <MenuChoice
          icon={IconPlayerStop}
          title={t('actions.pauseStop')}
          text={t('actions.pauseStopText')}
          onClick={onStop}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
