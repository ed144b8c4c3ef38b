import { ActionIcon, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBookmark, IconDots, IconPencil, IconSearchOff, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import { type ExplorerPreset, deleteExplorerPreset, listExplorerPresets } from '../../../contract/explorer-presets.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { MenuEntry } from '../../ui/MenuEntry.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import { PresetChange } from './PresetChange.tsx'
import classes from './explorer.module.css'
import type { ExplorerTab } from './tabs.ts'
import { isChangeable } from './writes.rules.ts'

interface PresetsPaneProps {
  connectors: readonly Connector[]
  /** The tab in sight: presets for all connectors open on its one. */
  current: ExplorerTab | undefined
  onOpen: (connector: Connector, preset: ExplorerPreset) => void
}

/** Queries that the team keeps. */
export function PresetsPane({ connectors, current, onOpen }: PresetsPaneProps) {
  const { t } = useTranslation('explorer')
  const { me, can, canFor } = useSession()
  const [q, setQ] = useState('')
  const [applying, setApplying] = useState<Omit<ComponentProps<typeof PresetChange>, 'onClose'> | null>(null)
  const [removing, setRemoving] = useState<ExplorerPreset | null>(null)
  const list = useList(listExplorerPresets, { query: { q: q || undefined, limit: 100 } }, { keepPrevious: true })
  const remove = useAction(deleteExplorerPreset, { invalidates: ['listExplorerPresets'] })
  const connectorOf = ({ connector_id }: ExplorerPreset) =>
    connectors.find(({ id }) => id === (connector_id ?? current?.connectorId))
  const mayRemove = ({ created_by }: ExplorerPreset) =>
    can('deleteExplorerPreset') && (created_by === me.user.id || canFor('deleteExplorerPreset', 'viewer'))
  return (
    <>
      <div className={classes.bar}>
        <SearchField value={q} onChange={setQ} label={t('presets.search')} width={200} />
      </div>
      {list.error ? <ErrorState what="presets" error={list.error} onRetry={list.retry} compact /> : null}
      {!list.isLoading && !list.error && list.rows.length === 0 ? (
        q ? (
          <EmptyState icon={IconSearchOff} title={t('presets.noMatch')} compact />
        ) : (
          <EmptyState icon={IconBookmark} title={t('presets.empty')} text={t('presets.emptyText')} compact />
        )
      ) : null}
      <ul className={classes.presets} aria-label={t('side.presets')}>
        {list.rows.map((preset) => {
          const connector = connectorOf(preset)
          const { mode, action = 'find', rawQuery } = preset.definition
          const resource = preset.resource ?? current?.resource ?? null
          // Text is read before it is run: what it changes is reviewed then.
          const changes = mode === 'visual' && action !== 'find' && action !== 'count'
          const reason = !connector
            ? t('presets.noConnector')
            : changes && !can('changeConnectorData')
              ? t('presets.writesRole')
              : changes && !isChangeable(connector)
                ? t('presets.writesReadOnly')
                : mode === 'visual' && resource === null
                  ? t('presets.noResource')
                  : undefined
          const place = [preset.resource, preset.connector_id === null ? t('presets.everywhere') : connector?.name]
            .filter(Boolean)
            .join(' · ')
          const canEdit = changes && connector !== undefined && connector !== null && reason === undefined
          return (
            <li key={preset.id} className={classes.preset}>
              <button
                type="button"
                className={classes.presetOpen}
                disabled={reason !== undefined}
                title={reason ?? rawQuery}
                onClick={() => {
                  if (!connector) return
                  if (changes && resource !== null) setApplying({ connector, preset, resource })
                  else onOpen(connector, preset)
                }}
              >
                <span className={classes.presetName}>{preset.name}</span>
                <span className={classes.presetPlace} title={place}>
                  {place}
                </span>
                {preset.description ? <span className={classes.presetText}>{preset.description}</span> : null}
                {changes ? (
                  <span className={classes.presetKind}>
                    <IconPencil size={12} aria-hidden />
                    {t(`presets.action.${action}`)}
                  </span>
                ) : null}
                {reason ? <span className={classes.presetText}>{reason}</span> : null}
              </button>
              {canEdit || mayRemove(preset) ? (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon size={20} aria-label={t('presets.actions', { name: preset.name })}>
                      <IconDots size={14} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {connector && canEdit ? (
                      <Menu.Item
                        leftSection={<IconPencil size={14} aria-hidden />}
                        onClick={() => onOpen(connector, preset)}
                      >
                        {t('presets.edit')}
                      </Menu.Item>
                    ) : null}
                    {mayRemove(preset) ? (
                      <MenuEntry
                        needsServer
                        leftSection={<IconTrash size={14} aria-hidden />}
                        onClick={() => setRemoving(preset)}
                      >
                        {t('presets.delete')}
                      </MenuEntry>
                    ) : null}
                  </Menu.Dropdown>
                </Menu>
              ) : null}
            </li>
          )
        })}
      </ul>
      {list.hasNext ? (
        <Button size="compact-xs" variant="default" m={8} loading={list.isFetchingNext} onClick={list.fetchNext}>
          {t('presets.more')}
        </Button>
      ) : null}
      {applying ? <PresetChange {...applying} onClose={() => setApplying(null)} /> : null}
      {removing ? (
        <ConfirmDialog
          opened
          title={t('presets.deleteTitle', { name: removing.name })}
          text={t('presets.deleteText')}
          confirmLabel={t('presets.deleteConfirm')}
          danger
          onClose={() => setRemoving(null)}
          onConfirm={() => {
            remove.mutate(
              { params: { id: removing.id } },
              { onError: ({ message }) => notifications.show({ color: 'red', message }) },
            )
            setRemoving(null)
          }}
        />
      ) : null}
    </>
  )
}
