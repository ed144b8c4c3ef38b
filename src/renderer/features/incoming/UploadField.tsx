import { Button, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { bytesText } from '../../ui/time.ts'
import classes from './incoming.module.css'
import type { Upload } from './use-upload.ts'

/** How far a browser's file has come to the workspace, and what else may be done. */
export function UploadField({ upload }: { upload: Upload }) {
  const { t } = useTranslation('incoming')
  const { phase, sent, total, files, error } = upload
  const done = phase === 'done' ? files?.[0]?.path : undefined
  return (
    <div className={classes.upload} role="group" aria-label={t('upload.label')}>
      {phase === 'sending' ? (
        <>
          <Progress
            value={total === 0 ? 0 : (sent / total) * 100}
            size="sm"
            aria-label={t('upload.label')}
            transitionDuration={0}
          />
          <p>{t('upload.sending', { sent: bytesText(sent), total: bytesText(total) })}</p>
        </>
      ) : null}
      {done === undefined ? null : <p title={done}>{t('upload.done', { path: done })}</p>}
      {phase === 'stopped' ? <p>{t('upload.stopped')}</p> : null}
      {phase === 'failed' ? (
        <p role="alert" className={classes.uploadFailed}>
          {error?.message}
        </p>
      ) : null}
      <div>
        {phase === 'sending' ? (
          <Button size="compact-xs" variant="default" onClick={upload.stop}>
            {t('upload.stop')}
          </Button>
        ) : null}
        {phase === 'stopped' || phase === 'failed' ? (
          <Button size="compact-xs" variant="default" onClick={() => void upload.start()}>
            {t('upload.again')}
          </Button>
        ) : null}
        <Button size="compact-xs" variant="subtle" onClick={() => upload.preferPath(true)}>
          {t('upload.byPath')}
        </Button>
      </div>
    </div>
  )
}
