import { useTranslation } from 'react-i18next'
import type { ValueChange } from '../../contract/value-change.ts'
import { translateLabel } from '../i18n/translate.ts'
import classes from './ValueChanges.module.css'
import { numberText } from './format.ts'

/** Values that arrive differently: column, what happens to them, how many, and one of them. */
export function ValueChanges({ title, changes }: { title: string; changes: readonly ValueChange[] | undefined }) {
  const { t } = useTranslation('ui')
  if (changes === undefined || changes.length === 0) return null
  return (
    <table className={classes.changes}>
      <caption>{title}</caption>
      <tbody>
        {changes.map(({ column, change, count, example }) => (
          <tr key={`${column} ${change}`}>
            <td>
              <code>{column}</code>
            </td>
            <td>{translateLabel(change)}</td>
            <td>{t('values', { count, formatted: numberText(count) })}</td>
            <td>{example === undefined ? null : <code>{example}</code>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
