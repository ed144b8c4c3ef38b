import { Button, Menu, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconDeviceFloppy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import {
  type SavedView,
  type ViewedList,
  createSavedView,
  deleteSavedView,
  listSavedViews,
  updateSavedView,
} from '../../../contract/saved-views.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { DialogFoot } from '../DialogFoot.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { MenuEntry } from '../MenuEntry.tsx'
import { viewAddress } from './list-address.rules.ts'
import { useOpening } from '../use-opening.ts'
import classes from './work-list.module.css'

interface SavedViewsProps {
  list: ViewedList
  /** Which columns are chosen; null: none by anybody. */
  columns: string | null
}

const invalidates = ['listSavedViews'] as const

interface NameDialogProps {
  /** The view that gets another name; null: a new one. */
  view: SavedView | null
  list: ViewedList
  address: string
  onClose: () => void
  onSaved: (view: SavedView) => void
}

/** The name of a view: of a new one, or another of one that there is. */
function NameDialog({ view, list, address, onClose, onSaved }: NameDialogProps) {
  const { t } = useTranslation('lists')
  const { t: tUi } = useTranslation()
  const [name, setName] = useState(view?.name ?? '')
  const [tried, setTried] = useState(false)
  const create = useAction(createSavedView, { invalidates })
  const update = useAction(updateSavedView, { invalidates })
  const action = view ? update : create
  const submit = () => {
    setTried(true)
    if (name.trim() === '') return
    if (view) update.mutate({ params: { id: view.id }, body: { name } }, { onSuccess: onSaved })
    else create.mutate({ body: { list, name, address } }, { onSuccess: onSaved })
  }
  return (
    <FormDialog opened onClose={onClose} title={view ? t('views.rename') : t('views.save')} size={420}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          <TextInput
            label={t('views.name')}
            description={view ? undefined : t('views.hint')}
            withAsterisk
            data-autofocus
            maxLength={200}
            value={name}
            error={tried && name.trim() === '' ? tUi('form.required') : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DialogFoot
            error={action.error?.message}
            submitLabel={t('views.saveButton')}
            busy={action.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </FormDialog>
  )
}

/** Filters, order and columns under a name: the user’s own, each an address that can be shared. */
export function SavedViews({ list, columns }: SavedViewsProps) {
  const { t } = useTranslation('lists')
  const opening = useOpening()
  const { can } = useSession()
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const [naming, setNaming] = useState<'new' | SavedView | null>(null)
  const [deleting, setDeleting] = useState<SavedView | null>(null)
  const found = useOperation(listSavedViews, { query: { list } })
  const views = found.data ?? []
  const update = useAction(updateSavedView, { invalidates })
  const remove = useAction(deleteSavedView, { invalidates })
  const saved = new URLSearchParams(search).get('saved')
  const current = views.find((view) => String(view.id) === saved)
  const address = viewAddress(search, columns)
  const isChanged = current !== undefined && current.address !== address
  const label = current ? (isChanged ? t('views.changed', { name: current.name }) : current.name) : t('views.label')
  const mayChange = can('createSavedView')
  const show = (view: SavedView) => {
    const next = new URLSearchParams(view.address)
    next.set('saved', String(view.id))
    void navigate({ pathname, search: next.toString() })
  }
  const said = (message: string) => notifications.show({ message })
  const refused = (error: Error) => notifications.show({ color: 'red', message: error.message })
  useCommands([
    {
      id: 'list.save-view',
      title: t('views.save'),
      icon: IconPlus,
      when: mayChange,
      needsServer: true,
      run: () => setNaming('new'),
    },
    ...views.map((view) => ({
      id: `list.view-${view.id}`,
      title: t('views.show', { name: view.name }),
      group: 'view' as const,
      icon: IconBookmark,
      run: () => show(view),
    })),
  ])
  return (
    <>
      <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant={current ? 'light' : 'default'}
            fw={400}
            maw={200}
            className={classes.views}
            aria-label={label}
            title={label}
            leftSection={<IconBookmark size={14} aria-hidden />}
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {views.length > 0 ? (
            <Menu.RadioGroup value={saved ?? ''}>
              <Menu.Label>{t('views.own')}</Menu.Label>
              {views.map((view) => (
                <Menu.RadioItem key={view.id} value={String(view.id)} closeMenuOnClick onClick={() => show(view)}>
                  {view.name}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          ) : (
            <Menu.Label>{found.error ? found.error.message : t('views.none')}</Menu.Label>
          )}
          {mayChange ? (
            <>
              <Menu.Divider />
              <MenuEntry needsServer leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setNaming('new')}>
                {t('views.saveDialog')}
              </MenuEntry>
            </>
          ) : null}
          {mayChange && current ? (
            <>
              {isChanged ? (
                <MenuEntry
                  needsServer
                  leftSection={<IconDeviceFloppy size={15} aria-hidden />}
                  onClick={() =>
                    update.mutate(
                      { params: { id: current.id }, body: { address } },
                      { onSuccess: () => said(t('views.updated', { name: current.name })), onError: refused },
                    )
                  }
                >
                  {t('views.update', { name: current.name })}
                </MenuEntry>
              ) : null}
              <MenuEntry
                needsServer
                leftSection={<IconPencil size={15} aria-hidden />}
                onClick={() => setNaming(current)}
              >
                {t('views.renameDialog')}
              </MenuEntry>
              <MenuEntry
                needsServer
                c="var(--hg-status-failed-text)"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() => setDeleting(current)}
              >
                {opening(t('views.delete'))}
              </MenuEntry>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {naming === null ? null : (
        <NameDialog
          view={naming === 'new' ? null : naming}
          list={list}
          address={address}
          onClose={() => setNaming(null)}
          onSaved={(view) => {
            setNaming(null)
            show(view)
          }}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={t('views.deleteTitle', { name: deleting?.name ?? '' })}
        text={t('views.deleteText')}
        confirmLabel={t('views.delete')}
        danger
        busy={remove.isPending}
        error={remove.error?.message}
        onClose={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting) remove.mutate({ params: { id: deleting.id } }, { onSuccess: () => setDeleting(null) })
        }}
      />
    </>
  )
}
