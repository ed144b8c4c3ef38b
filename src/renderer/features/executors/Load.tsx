import { useTranslation } from 'react-i18next'
import type { Executor } from '../../../contract/executors.ts'
import { percentText } from '../../ui/format.ts'
import classes from './executors.module.css'
import { orDash } from '../../ui/nothing.tsx'

/** What was idle has a height of its own, so that it differs from what was not measured. */
const bars = (load: Executor['load']) =>
  load.map((share, index) => (share === null ? '' : `M${index * 3 + 1} 13V${13 - Math.max(2, share * 13)}`)).join('')

/** How busy an executor was in the last hour: a bar for every two minutes, and the average as a number. */
export function Load({ executor: { load } }: { executor: Pick<Executor, 'load'> }) {
  const { t } = useTranslation('executors')
  const measured = load.filter((share) => share !== null)
  if (measured.length === 0) return orDash(null)
  const average = percentText(measured.reduce((sum, share) => sum + share, 0) / measured.length)
  return (
    <span className={classes.load} title={t('loadHint', { average })}>
      <svg viewBox={`0 0 ${load.length * 3} 14`} width={load.length * 3} height={14} aria-hidden>
        {/* The hour is seen to be one, however much of it is known. */}
        <path d={`M0 13.5H${load.length * 3}`} data-base />
        <path d={bars(load)} />
      </svg>
      {average}
    </span>
  )
}
