import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'

export function NotFoundPage() {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  return (
    <Page title={t('notFound.title')} layout="fill">
      <EmptyState
        icon={IconMapOff}
        title={t('notFound.nothing', { path: pathname })}
        text={t('notFound.text')}
        action={
          <Button component={Link} to={paths.home()}>
            {t('notFound.action')}
          </Button>
        }
      />
    </Page>
  )
}
