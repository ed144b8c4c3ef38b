import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ServerSetting } from '../../../contract/server-config.ts'
import classes from './configuration.module.css'

interface OvertakenNoticeProps {
  overtaken: readonly ServerSetting[]
  onKeep: () => void
  onTake: () => void
}

/** Somebody else has saved what is being changed here: nothing is lost, and one of the two is chosen. */
export function OvertakenNotice({ overtaken, onKeep, onTake }: OvertakenNoticeProps) {
  const { t } = useTranslation('configuration')
  if (overtaken.length === 0) return null
  return (
    <div className={classes.notice} data-stays role="alert">
      <IconAlertTriangle size={15} aria-hidden />
      <span>{t('overtaken.text', { what: overtaken.map(({ title }) => title).join(', ') })}</span>
      <Button variant="default" size="compact-xs" onClick={onKeep}>
        {t('overtaken.keep')}
      </Button>
      <Button variant="default" size="compact-xs" onClick={onTake}>
        {t('overtaken.take')}
      </Button>
    </div>
  )
}
