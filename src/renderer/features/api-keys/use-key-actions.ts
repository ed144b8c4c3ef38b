import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { revokeApiKey } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'

/** What can be done with API keys in a list. */
export function useKeyActions(): ListAction<ApiKey>[] {
  const { t } = useTranslation('apiKeys')
  const { me, can } = useSession()
  return useMemo(() => {
    const revoke: ListAction<ApiKey> = {
      id: 'revoke',
      label: t('revoke'),
      icon: IconTrash,
      shortcut: 'Delete',
      danger: true,
      when: ({ revoked_at }) => revoked_at === null,
      question: (rows) => {
        const [first] = rows
        const ofOthers = rows.filter(({ user_id }) => user_id !== me.user.id)
        const owners = [...new Set(ofOthers.map(({ username }) => username))].join(', ')
        return {
          title:
            rows.length === 1
              ? t('revokeTitle', { name: first?.name ?? '' })
              : t('revokeSeveral', { count: rows.length }),
          text: owners ? `${t('revokeOf', { owner: owners, count: rows.length })} ${t('revokeText')}` : t('revokeText'),
        }
      },
      perform: async ({ id }) => void (await call(revokeApiKey, { params: { id } })),
      done: (count) => t('revokeDone', { count }),
    }
    return can('revokeApiKey') ? [revoke] : []
  }, [t, me, can])
}
