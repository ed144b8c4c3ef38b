import { useTranslation } from 'react-i18next'
import type { RunRejectGroup } from '../../../contract/run-rejects.ts'
import { translateReason } from '../../i18n/translate.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { numberText } from '../../ui/format.ts'
import classes from './rejects.module.css'

interface RejectGroupsProps {
  groups: readonly RunRejectGroup[]
  total: number
  /** `first_id` of the group whose rows are listed; null: all. */
  chosen: number | null
  onChoose(first: number | null): void
}

/** Why rows were rejected, with how many of each; one reason filters the rows below. */
export function RejectGroups({ groups, total, chosen, onChoose }: RejectGroupsProps) {
  const { t } = useTranslation('runs')
  // One step, said in every row, would say nothing.
  const showStep = new Set(groups.map(({ step }) => step)).size > 1
  const width = { minWidth: `${numberText(total).length}ch` }
  return (
    <ul className={classes.groups} aria-label={t('rejects.groups')}>
      <li>
        <button type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
          <span className={classes.count} style={width}>
            {numberText(total)}
          </span>
          <span className={classes.text}>{t('rejects.all')}</span>
        </button>
      </li>
      {groups.map((group) => (
        <li key={group.first_id}>
          <button
            type="button"
            aria-pressed={chosen === group.first_id}
            title={translateReason(group)}
            onClick={() => onChoose(chosen === group.first_id ? null : group.first_id)}
          >
            <span className={classes.count} style={width}>
              {numberText(group.count)}
            </span>
            <span className={classes.text}>
              <CodeWords text={translateReason(group)} />
            </span>
            {showStep ? <span className={classes.step}>{t('rejects.inStep', { step: group.step })}</span> : null}
          </button>
        </li>
      ))}
    </ul>
  )
}
