import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './LoadFailure.module.css'

/** In a line above what stands without it: what couldn’t be loaded. */
export function LoadFailure({ text, error, onRetry }: { text: string; error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.line} role="alert" title={error?.message}>
      <IconAlertTriangle size={14} aria-hidden />
      {text}
      <Button size="compact-xs" variant="default" onClick={onRetry}>
        {t('error.retry')}
      </Button>
    </div>
  )
}
