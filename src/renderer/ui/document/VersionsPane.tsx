import { Button, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconHistory } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { DataTable } from '../DataTable.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { ErrorState } from '../ErrorState.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { SplitPane } from '../SplitPane.tsx'
import { useAddress, wholeNumber } from '../use-address.ts'
import { DiffView } from '../code/DiffView.tsx'
import { YamlEditor } from '../code/YamlEditor.tsx'
import { listProps } from '../list-props.ts'
import type { TableColumn } from '../table.types.ts'
import tagClasses from '../Tags.module.css'
import classes from './dialogs.module.css'
import type { DocumentKind, DocumentRecord, DocumentVersion } from './document.types.ts'
import { useOpening } from '../use-opening.ts'

function useColumns(current: number) {
  const { t } = useTranslation('documents')
  return useMemo(
    (): TableColumn<DocumentVersion>[] => [
      {
        id: 'version',
        header: t('versions.version'),
        width: 116,
        cell: (row) => (
          <>
            {t('page.version', { version: row.version })}
            {row.version === current ? (
              <span className={tagClasses.tag} style={{ marginLeft: 8 }}>
                {t('versions.current')}
              </span>
            ) : null}
          </>
        ),
      },
      {
        id: 'summary',
        header: t('versions.summary'),
        minWidth: 160,
        grow: 3,
        cell: (row) => row.change_summary && <span title={row.change_summary}>{row.change_summary}</span>,
      },
      {
        id: 'author',
        yields: 1,
        header: t('versions.author'),
        width: 84,
        cell: (row) => row.created_by_name ?? t('versions.unknownAuthor'),
      },
      { id: 'saved', header: t('versions.saved'), width: 104, cell: (row) => <RelativeTime at={row.created_at} /> },
    ],
    [current, t],
  )
}

interface ComparisonProps {
  kind: DocumentKind
  record: DocumentRecord
  from: number | null
  to: number
  versions: readonly DocumentVersion[]
  onFrom(version: number): void
  onRestore(version: number): void
}

function Comparison({ kind, record, from, to, versions, onFrom, onRestore }: ComparisonProps) {
  const { t } = useTranslation('documents')
  const opening = useOpening()
  const { can } = useSession()
  const after = useOperation(kind.getVersion, { params: { id: record.id, vid: to } })
  const before = useOperation(
    kind.getVersion,
    { params: { id: record.id, vid: from ?? 1 } },
    { enabled: from !== null, keepPrevious: true },
  )
  const error = after.error ?? before.error
  const others = versions.filter((one) => one.version !== to).map((one) => String(one.version))
  const same = from !== null && before.data?.yaml_content === after.data?.yaml_content
  return (
    <div className={classes.pane}>
      <div className={classes.choices}>
        {from === null ? (
          <span className={classes.note}>{t('versions.first')}</span>
        ) : (
          <>
            <span>{t('versions.from')}</span>
            <Select
              w={140}
              aria-label={t('versions.from')}
              data={[...new Set([String(from), ...others])].map((value) => ({
                value,
                label: t('versions.before', { version: value }),
              }))}
              value={String(from)}
              allowDeselect={false}
              onChange={(value) => value && onFrom(Number(value))}
            />
            {same ? <span className={classes.note}>{t('versions.same')}</span> : null}
          </>
        )}
        {to !== record.current_version && can(kind.restoreVersion.id) ? (
          <Button ml="auto" variant="default" leftSection={<IconHistory size={14} />} onClick={() => onRestore(to)}>
            {opening(t('versions.restore', { version: to }))}
          </Button>
        ) : null}
      </div>
      {error ? <ErrorState what="version" error={error} onRetry={() => void after.refetch()} compact /> : null}
      {after.data && (from === null || before.data) ? (
        <div className={classes.pane}>
          {from === null ? (
            <YamlEditor value={after.data.yaml_content} readOnly label={t('versions.before', { version: to })} />
          ) : (
            <DiffView
              before={before.data?.yaml_content ?? ''}
              after={after.data.yaml_content}
              beforeLabel={t('versions.before', { version: from })}
              afterLabel={t('versions.before', { version: to })}
            />
          )}
        </div>
      ) : null}
    </div>
  )
}

/** Every version with its author and summary; the chosen one beside any other. */
interface VersionsPaneProps {
  kind: DocumentKind
  record: DocumentRecord
  onRestored(record: DocumentRecord): void
}

export function VersionsPane({ kind, record, onRestored }: VersionsPaneProps) {
  const { t } = useTranslation('documents')
  const [search, change] = useAddress()
  const list = useList(kind.listVersions, { params: { id: record.id }, query: { limit: 100 } })
  const columns = useColumns(record.current_version)
  const restore = useAction(kind.restoreVersion, { invalidates: [kind.listVersions.id, kind.list.id] })
  const [restoring, setRestoring] = useState<number | null>(null)
  const to = wholeNumber(search.get('to')) ?? record.current_version
  const from = wholeNumber(search.get('from')) ?? (to > 1 ? to - 1 : null)
  const set = (values: { to?: number; from?: number | null }) =>
    change({ to: values.to?.toString(), from: values.from === null ? null : values.from?.toString() })
  const doRestore = () => {
    if (restoring === null) return
    restore.mutate(
      { params: { id: record.id, vid: restoring } },
      {
        onSuccess: (saved) => {
          notifications.show({ message: t('versions.restored', { from: restoring, version: saved.current_version }) })
          setRestoring(null)
          set({ to: saved.current_version, from: null })
          onRestored(saved)
        },
      },
    )
  }
  return (
    // The list above: both texts, and what their authors said, get all of the width.
    <SplitPane id={`${kind.name}.versions`} direction="vertical" initial="content" minSize={120}>
      <DataTable
        id={`${kind.name}-versions`}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.version}
        label={t('versions.label')}
        activeKey={to}
        onActiveChange={(row) => set({ to: row.version, from: null })}
        {...listProps(list)}
        what="versions"
        fits
        empty={<EmptyState icon={IconHistory} title={t('versions.choose')} compact />}
      />
      <div className={classes.pane}>
        <Comparison
          kind={kind}
          record={record}
          from={from}
          to={to}
          versions={list.rows}
          onFrom={(version) => set({ from: version })}
          onRestore={setRestoring}
        />
        <ConfirmDialog
          opened={restoring !== null}
          title={t('versions.restoreTitle', { version: restoring ?? to })}
          text={t('versions.restoreText', { next: record.current_version + 1 })}
          confirmLabel={t('versions.restore', { version: restoring ?? to })}
          busy={restore.isPending}
          error={restore.error?.message}
          onConfirm={doRestore}
          onClose={() => setRestoring(null)}
        />
      </div>
    </SplitPane>
  )
}
