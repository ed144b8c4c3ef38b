import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getAiUsage } from '../../../contract/ai-usage.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ListNotice } from '../../ui/ListNotice.tsx'

/** Above the list where no model reads what is in it. */
export function NotConfigured() {
  const { t } = useTranslation('aiReferences')
  const { t: tUsage } = useTranslation('aiUsage')
  const { can } = useSession()
  const { data } = useOperation(getAiUsage)
  if (!data || data.configured) return null
  return (
    <ListNotice
      icon={IconSparkles}
      title={tUsage('off.title')}
      text={t('off')}
      action={
        can('updateServerConfig') ? (
          <Button
            component={Link}
            to={paths.settings('configuration', { find: 'ai.' })}
            variant="default"
            size="compact-xs"
          >
            {tUsage('configure')}
          </Button>
        ) : null
      }
    />
  )
}
