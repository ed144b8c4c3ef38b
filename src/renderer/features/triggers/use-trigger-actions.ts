import { IconPencil, IconToggleLeft, IconToggleRight, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import type { AnyTrigger } from './trigger-draft.ts'

interface TriggerDeeds<T> {
  edit: (row: T) => void
  enable: (id: number, enabled: boolean) => Promise<unknown>
  /** Gives what takes it back, where it can be. */
  remove: (row: T) => Promise<(() => Promise<unknown>) | undefined>
}

/** What can be done with triggers of both kinds in a list; none for those who may not (`null`). */
export function useTriggerActions<T extends AnyTrigger>(deeds: TriggerDeeds<T> | null): ListAction<T>[] {
  const { t } = useTranslation('triggers')
  const { t: tLists } = useTranslation('lists')
  return useMemo(() => {
    if (!deeds) return []
    const switching = (enabled: boolean): ListAction<T> => ({
      id: enabled ? 'enable' : 'disable',
      label: tLists(enabled ? 'actions.enable' : 'actions.disable'),
      icon: enabled ? IconToggleRight : IconToggleLeft,
      when: (row) => (row.enabled === 1) !== enabled,
      perform: async ({ id }) => {
        await deeds.enable(id, enabled)
        return () => deeds.enable(id, !enabled)
      },
      done: (count) => tLists(enabled ? 'actions.enabled' : 'actions.disabled', { count }),
    })
    const edit: ListAction<T> = {
      id: 'edit',
      label: t('editDialog'),
      icon: IconPencil,
      shortcut: 'e',
      only: 1,
      go: ([row]) => row && deeds.edit(row),
    }
    const remove: ListAction<T> = {
      id: 'delete',
      label: t('remove'),
      icon: IconTrash,
      shortcut: 'Delete',
      danger: true,
      question: (rows) => ({
        title:
          rows.length === 1
            ? t('removeTitle', { job: rows[0]?.job_name ?? '' })
            : t('removeSeveral', { count: rows.length }),
        text: t('removeText'),
      }),
      perform: (row) => deeds.remove(row),
      done: (count) => t('removedSeveral', { count }),
    }
    return [edit, switching(true), switching(false), remove]
  }, [deeds, t, tLists])
}
