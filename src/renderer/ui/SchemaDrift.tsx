import { useTranslation } from 'react-i18next'
import type { ColumnDrift } from '../../contract/schema-drift.ts'
import classes from './ValueChanges.module.css'

/** Columns in which rows and their table differ: both types, and what becomes of the column. */
export function SchemaDrift({ title, drift }: { title: string; drift: readonly ColumnDrift[] | undefined }) {
  const { t } = useTranslation('ui')
  if (drift === undefined || drift.length === 0) return null
  return (
    <table className={classes.changes}>
      <caption>{title}</caption>
      <tbody>
        {drift.map(({ column, there, coming, outcome }) => (
          <tr key={column} data-outcome={outcome}>
            <td>
              <code>{column}</code>
            </td>
            <td>
              {there ?? t('drift.missing')} → {coming ?? t('drift.missing')}
            </td>
            <td className={classes.outcome}>{t(`drift.outcome.${outcome}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
