import { Alert, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileImport, IconNotes, IconPencil, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AiReferenceSummary,
  MAX_CHOSEN_REFERENCES,
  deleteAiReference,
  listAiReferences,
  referenceKinds,
} from '../../../contract/ai-references.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowMenuButton } from '../../ui/RowActions.tsx'
import { Tags } from '../../ui/Tags.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { bytesText } from '../../ui/time.ts'
import { useAddress } from '../../ui/use-address.ts'
import { ClearFilters } from '../../ui/work-list/ClearFilters.tsx'
import { FilterMenu } from '../../ui/work-list/FilterMenu.tsx'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { SavedViews } from '../../ui/work-list/SavedViews.tsx'
import { known } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import { useOpening } from '../../ui/use-opening.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { NotConfigured } from './NotConfigured.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { ReferenceDialog } from './ReferenceDialog.tsx'
import classes from './ai-references.module.css'
import { useDroppedFiles } from './use-dropped-files.ts'

interface Deeds {
  edit: (row: AiReferenceSummary) => void
  remove: (row: AiReferenceSummary) => void
}

function useColumns(deeds: Deeds | null): TableColumn<AiReferenceSummary>[] {
  const { t } = useTranslation('aiReferences')
  const opening = useOpening()
  return useMemo(() => {
    const columns: TableColumn<AiReferenceSummary>[] = [
      { id: 'title', header: t('columns.title'), minWidth: 128, cell: (row) => row.title },
      { id: 'kind', header: t('columns.kind'), width: 92, cell: (row) => t(`kind.${row.kind}`) },
      {
        id: 'tags',
        header: t('columns.tags'),
        minWidth: 112,
        grow: 0.4,
        cell: (row) => <Tags tags={row.tags} brief />,
      },
      {
        id: 'size',
        header: t('columns.size'),
        // “Wird indiziert” is the longest of what it says.
        width: 116,
        align: 'right',
        cell: (row) => (row.indexing ? t('indexing') : bytesText(row.size)),
      },
      {
        id: 'changed',
        header: t('columns.changed'),
        width: 112,
        cell: (row) => <RelativeTime at={row.updated_at ?? row.created_at} />,
      },
    ]
    if (!deeds) return columns
    const action: TableColumn<AiReferenceSummary> = {
      id: 'action',
      header: '',
      label: t('columns.action'),
      width: 40,
      pinned: true,
      cell: (row) => (
        <RowMenuButton
          actions={[
            {
              label: `${t('edit')} ${row.title}`,
              text: opening(t('edit')),
              icon: IconPencil,
              shortcut: 'e',
              run: () => deeds.edit(row),
            },
            {
              label: `${t('remove')} ${row.title}`,
              text: opening(t('remove')),
              icon: IconTrash,
              shortcut: 'Delete',
              danger: true,
              needsServer: true,
              run: () => deeds.remove(row),
            },
          ]}
        />
      ),
    }
    return [...columns, action]
  }, [t, opening, deeds])
}

function RemoveDialog({ row, onClose }: { row: AiReferenceSummary | null; onClose: () => void }) {
  const { t } = useTranslation('aiReferences')
  const remove = useAction(deleteAiReference, { invalidates: ['listAiReferences'] })
  const title = row?.title ?? ''
  const done = () => {
    notifications.show({ message: t('removed', { title }) })
    onClose()
  }
  return (
    <ConfirmDialog
      opened={row !== null}
      title={t('removeTitle', { title })}
      text={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => row && remove.mutate({ params: { id: row.id } }, { onSuccess: done })}
    />
  )
}

const filters = ['kind']

/** Documents about the data that prompts for the AI may draw on. */
export function AiReferencesPage() {
  const { t } = useTranslation('aiReferences')
  const { t: tSettings } = useTranslation('settings')
  const { can } = useSession()
  const mayChange = can('createAiReference')
  const [address, change] = useAddress()
  const listAddress = useListAddress(filters)
  const { q, values } = listAddress
  const query = useMemo(
    () => ({ limit: 200, q: q || undefined, kind: known(values('kind'), referenceKinds)?.[0] }),
    [q, values],
  )
  const list = useList(listAiReferences, { query }, { keepPrevious: true })
  const [opened, setOpened] = useState(false)
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<AiReferenceSummary | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = address.get('reference')
  const edit = useCallback((row: AiReferenceSummary) => change({ reference: String(row.id) }), [change])
  const deeds = useMemo(() => (mayChange ? { edit, remove: setRemoving } : null), [mayChange, edit])
  const columns = useColumns(deeds)
  const input = useRef<HTMLInputElement>(null)
  const files = useDroppedFiles()
  const take = (found: FileList | null | undefined) => {
    if (found && found.length > 0) void files.add([...found])
  }
  const create = mayChange ? (
    <CommandButton
      id="ai-references.new"
      label={t('new')}
      icon={IconPlus}
      onClick={() => setCreating(true)}
      shortcut="c"
    />
  ) : null
  const isTooMany = selected.size > MAX_CHOSEN_REFERENCES
  const summary = () => {
    if (isTooMany) return t('tooMany', { count: MAX_CHOSEN_REFERENCES })
    if (selected.size > 0) return t('selected', { count: selected.size })
    return !list.total ? null : t('count', { count: list.total })
  }
  const editing = mayChange && chosen !== null && /^[1-9]\d{0,14}$/.test(chosen) ? Number(chosen) : null
  return (
    <SettingsPage
      layout="fill"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconSearch size={14} />}
            disabled={isTooMany || (list.total === 0 && !listAddress.filtered)}
            onClick={() => setOpened(true)}
          >
            {t('preview.open')}
          </Button>
          {mayChange ? (
            <Button
              variant="default"
              loading={files.busy}
              leftSection={<IconFileImport size={14} />}
              onClick={() => input.current?.click()}
            >
              {t('upload')}
            </Button>
          ) : null}
          {create}
        </>
      }
      toolbar={
        <Toolbar
          right={
            <>
              <span role="status">{summary()}</span>
              <SavedViews list="ai-references" columns={null} />
            </>
          }
        >
          <SearchField value={q} onChange={listAddress.search} label={t('search')} width={200} yields={144} />
          <FilterMenu
            label={t('columns.kind')}
            single
            options={referenceKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            chosen={values('kind')}
            onChange={(next) => listAddress.choose('kind', next)}
          />
          <ClearFilters address={listAddress} none={list.rows.length === 0 && !list.isLoading && list.error === null} />
        </Toolbar>
      }
    >
      <div
        className={classes.page}
        {...(mayChange && {
          'data-own-drop': true,
          onDragOver: (event) => event.preventDefault(),
          onDrop: (event) => {
            event.preventDefault()
            take(event.dataTransfer.files)
          },
        })}
      >
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={t('upload')}
          onChange={(event) => {
            take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
        {files.failed.length > 0 ? (
          <Alert
            color="red"
            role="alert"
            title={t('drop.failed', { count: files.failed.length })}
            withCloseButton
            closeButtonLabel={t('drop.dismiss')}
            onClose={files.forget}
          >
            <ul className={classes.failed}>
              {files.failed.map(({ name, reason }) => (
                <li key={name}>
                  <b>{name}</b>: {reason}
                </li>
              ))}
            </ul>
          </Alert>
        ) : null}
        <NotConfigured />
        <DataTable
          id="ai-references"
          label={tSettings('tabs.aiReferences')}
          rows={list.rows}
          columns={columns}
          rowKey={(row) => row.id}
          selection={{ selected, onChange: setSelected }}
          {...(mayChange && { onOpen: edit })}
          {...listProps(list)}
          what="ai-references"
          empty={
            listAddress.filtered ? (
              <NoMatch title={t('noMatch')} address={listAddress} />
            ) : (
              <EmptyState icon={IconNotes} title={t('empty.title')} text={t('empty.text')} action={create} />
            )
          }
        />
      </div>
      <ReferenceDialog
        opened={creating || editing !== null}
        id={creating ? null : editing}
        onClose={() => {
          setCreating(false)
          change({ reference: null })
        }}
      />
      <RemoveDialog row={removing} onClose={() => setRemoving(null)} />
      {opened ? <PreviewDialog ids={[...selected].map(Number)} onClose={() => setOpened(false)} /> : null}
    </SettingsPage>
  )
}
