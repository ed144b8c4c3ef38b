import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../../ui/MenuChoice.tsx'
import { useUnreachable } from '../../ui/use-unreachable.ts'

interface PauseMenuProps {
  allowed: boolean
  busy: boolean
  onPause(): void
  onStop(): void
}

/** Pausing lets what runs end, or stops it. */
export function PauseMenu({ allowed, busy, onPause, onStop }: PauseMenuProps) {
  const { t } = useTranslation('jobRuns')
  const unreachable = useUnreachable()
  const why = allowed ? unreachable : t('actions.notAllowed')
  useCommands([
    {
      id: 'job-run.pause',
      title: `${t('actions.pause')}: ${t('actions.pauseLet')}`,
      when: why === undefined && !busy,
      icon: IconPlayerPause,
      shortcut: 'p',
      run: onPause,
    },
    {
      id: 'job-run.pause-stop',
      title: `${t('actions.pause')}: ${t('actions.pauseStop')}`,
      when: why === undefined && !busy,
      icon: IconPlayerStop,
      shortcut: 'shift+p',
      run: onStop,
    },
  ])
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={14} />}
          rightSection={<IconChevronDown size={12} />}
          loading={busy}
          disabled={why !== undefined}
          title={why}
        >
          {t('actions.pause')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={280}>
        <MenuChoice
          needsServer
          icon={IconPlayerPause}
          title={t('actions.pauseLet')}
          text={t('actions.pauseLetText')}
          command="job-run.pause"
          onClick={onPause}
        />
        <MenuChoice
          needsServer
          icon={IconPlayerStop}
          title={t('actions.pauseStop')}
          text={t('actions.pauseStopText')}
          command="job-run.pause-stop"
          onClick={onStop}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
