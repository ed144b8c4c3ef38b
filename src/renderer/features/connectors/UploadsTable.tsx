import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Upload, deleteUpload, listUploads } from '../../../contract/uploads.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton } from '../../ui/RowActions.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { bytesText } from '../../ui/time.ts'
import classes from './connectors.module.css'

function UsedBy({ upload }: { upload: Upload }) {
  return upload.used_by.map(({ id, name }, at) => (
    <span key={id}>
      {at > 0 ? ', ' : null}
      <Link to={paths.task(id)}>{name}</Link>
    </span>
  ))
}

function useColumns(remove: (upload: Upload) => void): TableColumn<Upload>[] {
  const { t } = useTranslation('connectors')
  const { can, canFor, me } = useSession()
  const mayAll = canFor('deleteUpload', 'viewer')
  const mayOwn = can('deleteUpload')
  return useMemo(
    (): TableColumn<Upload>[] => [
      {
        id: 'name',
        header: t('uploads.name'),
        minWidth: 160,
        mono: true,
        names: true,
        cell: ({ name }) => name,
      },
      { id: 'size', header: t('columns.size'), width: 84, align: 'right', cell: (row) => bytesText(row.bytes) },
      { id: 'at', header: t('uploads.at'), width: 112, cell: (row) => <RelativeTime at={row.uploaded_at} /> },
      { id: 'by', header: t('uploads.by'), width: 132, cell: (row) => row.uploaded_by_name ?? t('uploads.unknown') },
      { id: 'used', header: t('uploads.usedBy'), minWidth: 140, cell: (row) => <UsedBy upload={row} /> },
      {
        id: 'actions',
        header: t('uploads.actions'),
        width: 96,
        cell: (row) =>
          mayAll || (mayOwn && row.uploaded_by === me.user.id) ? (
            <RowButton
              opens
              text={t('uploads.remove')}
              action={{
                needsServer: true,
                label: t('uploads.removeOne', { name: row.name }),
                icon: IconTrash,
                shortcut: 'Delete',
                run: () => remove(row),
              }}
            />
          ) : null,
      },
    ],
    [t, mayAll, mayOwn, me.user.id, remove],
  )
}

function RemoveDialog({ upload, onClose }: { upload: Upload | null; onClose: () => void }) {
  const { t } = useTranslation('connectors')
  const remove = useAction(deleteUpload, { invalidates: ['listUploads'] })
  const name = upload?.name ?? ''
  const tasks = upload?.used_by ?? []
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={upload !== null}
      title={t('uploads.removeTitle')}
      text={
        <>
          {t('uploads.removeText', { name })}{' '}
          {tasks.length > 0
            ? t('uploads.removeUsed', { count: tasks.length, tasks: tasks.map((task) => task.name).join(', ') })
            : null}
        </>
      }
      confirmLabel={t('uploads.removeConfirm')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      // Only for the tasks that were named here: of others, the server tells first.
      onConfirm={() =>
        remove.mutate({ params: { name }, query: tasks.length > 0 ? { force: true } : {} }, { onSuccess: close })
      }
      onClose={close}
    />
  )
}

/** The files of the upload folder. */
export function UploadsTable() {
  const { t } = useTranslation('connectors')
  const list = useList(listUploads)
  const [removing, setRemoving] = useState<Upload | null>(null)
  const columns = useColumns(setRemoving)
  return (
    <div className={classes.uploads}>
      <DataTable
        id="uploads"
        label={t('uploads.title')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.name}
        {...listProps(list)}
        what="uploads"
        empty={<EmptyState icon={IconUpload} title={t('uploads.emptyTitle')} text={t('uploads.emptyText')} />}
      />
      <RemoveDialog upload={removing} onClose={() => setRemoving(null)} />
    </div>
  )
}
