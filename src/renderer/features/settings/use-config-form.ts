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
import { etagOf } from '../../api/client.ts'
import { queryKey, useAction, useOperation } from '../../api/queries.ts'
import { type Change, type Draft, changed, valuesOf } from './config-draft.ts'

/** Settings as they are and as they are being changed. Changes of others meanwhile are taken in; one's own stay drafted. */
export function useConfigForm() {
  const { t } = useTranslation('configuration')
  const client = useQueryClient()
  const config = useOperation(getServerConfig)
  const [draft, setDraft] = useState<Draft>({})
  const update = useAction(updateServerConfig, { invalidates: ['getServerInfo', 'getStoreInfo', 'getAuthStatus'] })
  const conflict = update.error?.code === 'CONFLICT'

  const change = (setting: ServerSetting, next: Change | undefined) => {
    update.reset()
    setDraft((before) => {
      if (next !== undefined) return changed(before, setting, next)
      const { [setting.key]: _, ...others } = before
      return others
    })
  }
  const save = () => {
    const etag = etagOf(config.data)
    update.mutate(
      { body: { values: valuesOf(draft) }, ...(etag ? { headers: { 'if-match': etag } } : {}) },
      {
        onSuccess: (saved: ServerConfig) => {
          client.setQueryData(queryKey(getServerConfig), saved)
          setDraft({})
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
    setDraft({})
  }
  const count = Object.keys(draft).length
  return { config, draft, count, change, save, discard, saving: update.isPending, error: update.error, conflict }
}
