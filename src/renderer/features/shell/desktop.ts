import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { ServerEvent } from '../../../contract/events.ts'
import { useServerEvents } from '../../api/events.ts'
import { findCommand } from '../../commands/commands.ts'
import { useDesktopMenu } from '../../commands/desktop-menu.ts'
import { dialogOpen } from '../../commands/shortcuts.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { paths } from '../../paths.ts'
import { ofOpened, receiveFiles } from '../incoming/incoming.store.ts'
import { useDesktopNews } from './use-desktop-news.ts'

/** What only the desktop's own window has: its menu, its notifications, its frame's colours. Nothing in a browser. */
export function useDesktop(): void {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  const { colorScheme } = useMantineColorScheme()
  useDesktopMenu()
  useEffect(() => {
    void desktopBridge()?.setTheme(colorScheme === 'auto' ? 'system' : colorScheme)
  }, [colorScheme])
  useEffect(
    () =>
      desktopBridge()?.onCommand((command) => {
        if (command.name === 'navigate') void navigate(command.path)
        else if (command.name === 'server-restarted') void client.invalidateQueries()
        else if (command.name === 'open-file') receiveFiles([ofOpened(command.file)])
        else if (command.name === 'run' && !dialogOpen()) findCommand(command.id)?.run()
      }),
    [navigate, client],
  )
  const notifyFailure = useCallback(
    (event: ServerEvent) => {
      const { status, task_name: task, error_message: message } = event.data
      if (event.type !== 'run.changed' || status !== 'failed' || document.hasFocus()) return
      void desktopBridge()?.notify({
        title: t('runFailed', { task: typeof task === 'string' ? task : `#${event.entity_id}` }),
        body: typeof message === 'string' ? message : '',
        path: paths.run(event.entity_id),
      })
    },
    [t],
  )
  useServerEvents(notifyFailure)
  useDesktopNews()
}
