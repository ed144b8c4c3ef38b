import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './profile.module.css'

/** Somebody else has saved what is being edited: nothing is lost, and one of the two is chosen. */
export function Conflict({ onKeep, onTake }: { onKeep: () => void; onTake: () => void }) {
  const { t } = useTranslation('profile')
  return (
    <div className={classes.conflict} role="alert">
      {t('conflict.text')}
      <Button variant="default" size="compact-xs" onClick={onKeep}>
        {t('conflict.keep')}
      </Button>
      <Button variant="default" size="compact-xs" onClick={onTake}>
        {t('conflict.take')}
      </Button>
    </div>
  )
}
