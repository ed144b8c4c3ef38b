import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type TaskDetail, archiveTask, restoreTask } from '../../../contract/tasks.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { downloadText } from '../../ui/document/download-text.ts'

/** What is done to a task as a whole. */
export function TaskMenu({ task, text }: { task: TaskDetail; text: string }) {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const invalidates = ['getTask', 'listTasks'] as const
  const archive = useAction(archiveTask, { invalidates })
  const restore = useAction(restoreTask, { invalidates })
  const archived = task.archived === 1

  const doRestore = () =>
    restore.mutate(
      { params: { id: task.id } },
      { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) },
    )
  const items = [
    {
      id: 'task.duplicate',
      title: t('page.duplicate'),
      icon: IconCopy,
      when: can('createTask'),
      run: () => void navigate(paths.taskNew({ sample: 'copy' }), { state: { yaml: text } }),
    },
    {
      id: 'task.download',
      title: t('page.download'),
      icon: IconDownload,
      when: true,
      run: () => downloadText(`${task.name.replace(/[^\w.-]+/g, '_')}.yaml`, text),
    },
    archived
      ? { id: 'task.restore', title: t('page.restore'), icon: IconArchiveOff, when: can('restoreTask'), run: doRestore }
      : {
          id: 'task.archive',
          title: t('page.archive'),
          icon: IconArchive,
          when: can('archiveTask'),
          run: () => setAsking(true),
        },
  ]
  useCommands(items)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('page.more')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items
            .filter((item) => item.when)
            .map(({ id, title, icon: Icon, run }) => (
              <Menu.Item key={id} leftSection={<Icon size={15} aria-hidden />} onClick={run}>
                {title}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={t('page.archiveTitle', { name: task.name })}
        text={t('page.archiveText')}
        confirmLabel={t('page.archive')}
        busy={archive.isPending}
        error={archive.error?.message}
        onConfirm={() => archive.mutate({ params: { id: task.id } }, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
