import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ServerConfig,
  type ServerSetting,
  getServerConfig,
  updateServerConfig,
} from '../../../contract/server-config.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ifMatch } from '../../api/client.ts'
import { queryKey, useAction, useOperation } from '../../api/queries.ts'
import { type Bases, type Change, type Draft, changed, overtakenBy, valuesOf } from './config-draft.ts'

/** Settings as they are and as they are being changed. Changes of others meanwhile are taken in; one's own stay drafted. */
export function useConfigForm() {
  const { t } = useTranslation('configuration')
  const client = useQueryClient()
  const config = useOperation(getServerConfig)
  const [{ draft, bases }, setDrafted] = useState<{ draft: Draft; bases: Bases }>({ draft: {}, bases: {} })
  const update = useAction(updateServerConfig, { invalidates: ['getServerInfo', 'getStoreInfo', 'getAuthStatus'] })
  const conflict = update.error?.code === 'CONFLICT'

  const change = (setting: ServerSetting, next: Change | undefined) => {
    update.reset()
    setDrafted((before) => {
      const { [setting.key]: known, ...others } = before.draft
      if (next === undefined) return { ...before, draft: others }
      const first = known === undefined ? { [setting.key]: setting.next_value } : {}
      return { draft: changed(before.draft, setting, next), bases: { ...before.bases, ...first } }
    })
  }
  const overtaken = overtakenBy(config.data?.settings ?? [], draft, bases)
  const keepMine = () =>
    setDrafted((before) => ({
      ...before,
      bases: { ...before.bases, ...Object.fromEntries(overtaken.map((one) => [one.key, one.next_value])) },
    }))
  const takeTheirs = () => {
    const theirs = new Set(overtaken.map(({ key }) => key))
    setDrafted((before) => ({
      ...before,
      draft: Object.fromEntries(Object.entries(before.draft).filter(([key]) => !theirs.has(key))),
    }))
  }
  const save = () => {
    // It is chosen first whose values hold.
    if (overtaken.length > 0) return
    update.mutate(
      { body: { values: valuesOf(draft) }, headers: ifMatch(config.data) },
      {
        onSuccess: (saved: ServerConfig) => {
          client.setQueryData(queryKey(getServerConfig), saved)
          setDrafted({ draft: {}, bases: {} })
          notifications.show({ message: t('saved') })
        },
        onError: (failure) => {
          // The newest settings come; what was drafted stays and can be saved over them.
          if (failure.code === 'CONFLICT') void config.refetch()
        },
      },
    )
  }
  const discard = () => {
    update.reset()
    setDrafted({ draft: {}, bases: {} })
  }
  const count = Object.keys(draft).length
  return {
    config,
    draft,
    count,
    change,
    save,
    discard,
    overtaken,
    keepMine,
    takeTheirs,
    saving: update.isPending,
    error: update.error,
    conflict,
  }
}
