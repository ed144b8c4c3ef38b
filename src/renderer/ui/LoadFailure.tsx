import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../api/client.ts'
import { CodeWords } from './CodeWords.tsx'
import { CopyCode } from './CopyCode.tsx'
import { ErrorCodeLink } from './HelpLink.tsx'
import classes from './LoadFailure.module.css'

/** In a line above what stands without it: what couldn’t be loaded. */
export function LoadFailure({ text, error, onRetry }: { text: string; error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.line} role="alert" title={error.message}>
      <IconAlertTriangle size={14} aria-hidden />
      <span className={classes.words}>{text}</span>
      <Button size="compact-xs" variant="default" onClick={onRetry}>
        {t('error.retry')}
      </Button>
      {error instanceof ApiFailure ? (
        <span className={classes.more}>
          {error.request_id ? (
            <span>
              <CodeWords text={t('error.request', { id: error.request_id })} name={CopyCode} />
            </span>
          ) : null}
          <ErrorCodeLink code={error.code} />
        </span>
      ) : null}
    </div>
  )
}
