import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './jobs.module.css'

interface ConflictProps {
  text: string
  onKeep: () => void
  onTake: () => void
}

/** Somebody else has saved what is being edited: nothing is lost, and one of the two is chosen. */
export function Conflict({ text, onKeep, onTake }: ConflictProps) {
  const { t } = useTranslation('jobs')
  return (
    <div className={classes.conflict} role="alert">
      {text}
      <div>
        <Button variant="default" size="compact-xs" onClick={onKeep}>
          {t('conflict.keep')}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onTake}>
          {t('conflict.take')}
        </Button>
      </div>
    </div>
  )
}
