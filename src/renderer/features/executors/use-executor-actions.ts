import { IconArrowBarToDown, IconCopy } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Executor, drainExecutor } from '../../../contract/executors.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { copyText } from '../../ui/copy-text.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'

/** What can be done with executors in a list. */
export function useExecutorActions(): ListAction<Executor>[] {
  const { t } = useTranslation('executors')
  const { can } = useSession()
  return useMemo(() => {
    const drain: ListAction<Executor> = {
      id: 'drain',
      label: t('drain'),
      icon: IconArrowBarToDown,
      shortcut: 'd',
      when: ({ status }) => status === 'online',
      question: (rows) => ({
        title:
          rows.length === 1
            ? t('drainTitle', { name: rows[0]?.name ?? '' })
            : t('drainSeveral', { count: rows.length }),
        text: t('drainText', { busy: rows.reduce((sum, { busy }) => sum + busy, 0), count: rows.length }),
      }),
      perform: async ({ id }) => void (await call(drainExecutor, { params: { id } })),
      done: (count) => t('drained', { count }),
    }
    const copyName: ListAction<Executor> = {
      id: 'copy-name',
      label: t('copyName'),
      icon: IconCopy,
      only: 1,
      go: ([row]) => {
        if (!row) return
        copyText(row.name).then(
          () => notifications.show({ message: t('nameCopied') }),
          (error: Error) => notifications.show({ color: 'red', message: error.message }),
        )
      },
    }
    return [...(can('drainExecutor') ? [drain] : []), copyName]
  }, [t, can])
}
