import { notifications } from '@mantine/notifications'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getScheduler, updateScheduler } from '../../../contract/scheduler.ts'
import { queryKey, useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'

/** Whether triggers fire, and how to change it. */
export function useScheduler() {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const client = useQueryClient()
  const { data: scheduler } = useOperation(getScheduler)
  const update = useAction(updateScheduler)
  const set = (paused: boolean) =>
    update.mutate(
      { body: { paused } },
      {
        onSuccess: (now) => {
          client.setQueryData(queryKey(getScheduler), now)
          notifications.show({ message: t(paused ? 'scheduler.pausedNow' : 'scheduler.resumedNow') })
        },
        onError: ({ message }) => notifications.show({ color: 'red', message }),
      },
    )
  return { scheduler, set, busy: update.isPending, may: can('updateScheduler') }
}

/** Works from every page, and from the menus of the desktop. */
export function useSchedulerCommands(): void {
  const { t } = useTranslation('shell')
  const { scheduler, set, busy, may } = useScheduler()
  const known = scheduler !== undefined && may && !busy
  useCommands([
    {
      id: 'pause-scheduler',
      title: t('scheduler.pause'),
      group: 'general',
      menu: 'file',
      icon: IconPlayerPause,
      keywords: t('scheduler.keywords'),
      when: known && !scheduler.paused,
      run: () => set(true),
    },
    {
      id: 'resume-scheduler',
      title: t('scheduler.resume'),
      group: 'general',
      menu: 'file',
      icon: IconPlayerPlay,
      keywords: t('scheduler.keywords'),
      when: known && scheduler.paused,
      run: () => set(false),
    },
  ])
}
