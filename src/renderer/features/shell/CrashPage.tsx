import { Button, Code } from '@mantine/core'
import { IconBug } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { EmptyState } from '../../ui/EmptyState.tsx'

const messageOf = (error: unknown) => {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`
  return error instanceof Error ? error.message : String(error)
}

/** In place of a page that threw, or whose code could not be loaded (the app was updated meanwhile). */
export function CrashPage() {
  const { t } = useTranslation()
  const error = useRouteError()
  return (
    <EmptyState
      icon={IconBug}
      title={t('error.crashTitle')}
      text={
        <>
          {t('error.crash')}
          <Code block mt={12} ta="left">
            {messageOf(error)}
          </Code>
        </>
      }
      action={<Button onClick={() => globalThis.location.reload()}>{t('error.reload')}</Button>}
    />
  )
}
