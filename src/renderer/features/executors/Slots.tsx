import { useTranslation } from 'react-i18next'
import type { Executor } from '../../../contract/executors.ts'
import classes from './executors.module.css'

/** More pips than this are only a number. */
const mostPips = 8

interface SlotsProps {
  executor: Pick<Executor, 'slots' | 'busy'>
  /** No heading says what the numbers are. */
  worded?: boolean
}

/** How much of an executor is in use, as pips and as numbers. */
export function Slots({ executor, worded = false }: SlotsProps) {
  const { t } = useTranslation('executors')
  const { slots, busy } = executor
  return (
    <span className={classes.slots} title={t('slots', { busy, slots })}>
      {slots <= mostPips ? (
        <span className={classes.pips} aria-hidden>
          {Array.from({ length: slots }, (_, index) => (
            <span key={index} className={classes.pip} data-busy={index < busy || undefined} />
          ))}
        </span>
      ) : null}
      {worded ? t('slots', { busy, slots }) : `${busy}/${slots}`}
    </span>
  )
}
