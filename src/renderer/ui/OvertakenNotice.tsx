import { Button } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './OvertakenNotice.module.css'

/** Somebody else has saved what is being edited: nothing is lost, and one of the two is chosen. */
export interface Overtaken {
  onKeep: () => void
  onTake: () => void
}

interface OvertakenNoticeProps {
  overtaken: Overtaken | null | undefined
  /** What was saved, where more can be said of it. */
  text?: ReactNode
  /** What keeping one's own does, where it saves it, too. */
  keepLabel?: string
  /** It stands above fields. */
  apart?: boolean
  first?: Ref<HTMLButtonElement>
}

export function OvertakenNotice({ overtaken, text, keepLabel, apart = false, first }: OvertakenNoticeProps) {
  const { t } = useTranslation()
  if (!overtaken) return null
  return (
    <div className={`${classes.notice} ${apart ? classes.apart : ''}`} role="alert">
      {text ?? t('overtaken.text')}
      <div>
        <Button ref={first} variant="default" size="compact-xs" onClick={overtaken.onKeep}>
          {keepLabel ?? t('overtaken.keep')}
        </Button>
        <Button variant="default" size="compact-xs" onClick={overtaken.onTake}>
          {t('overtaken.take')}
        </Button>
      </div>
    </div>
  )
}
