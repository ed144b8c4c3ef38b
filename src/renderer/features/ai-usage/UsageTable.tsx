import { useTranslation } from 'react-i18next'
import type { AiUsageRow } from '../../../contract/ai-usage.ts'
import { moneyText, numberText } from '../../ui/format.ts'
import classes from './ai-usage.module.css'

interface UsageTableProps {
  title: string
  /** Header of the names. */
  first: string
  rows: readonly AiUsageRow[]
  /** null: no prices are set, and there is no cost. */
  currency: string | null
  nameOf: (row: AiUsageRow) => string
  noteOf?: (row: AiUsageRow) => string
}

/** Calls, tokens, and cost by name, most tokens first. */
export function UsageTable({ title, first, rows, currency, nameOf, noteOf }: UsageTableProps) {
  const { t } = useTranslation('aiUsage')
  const costOf = ({ cost, unpriced_tokens }: AiUsageRow, of: string) => {
    if (cost === null) return t('noPrice')
    return unpriced_tokens > 0 ? t('atLeast', { cost: moneyText(cost, of) }) : moneyText(cost, of)
  }
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">{t('columns.calls')}</th>
            <th scope="col">{t('columns.input')}</th>
            <th scope="col">{t('columns.output')}</th>
            {currency === null ? null : <th scope="col">{t('columns.cost')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.host} ${row.model} ${row.user_id}`}>
              <th scope="row" title={nameOf(row)}>
                {nameOf(row)}
                {noteOf ? <small>{noteOf(row)}</small> : null}
              </th>
              <td>
                {numberText(row.calls)}
                {row.failed_calls > 0 ? <small>{t('failed', { count: row.failed_calls })}</small> : null}
              </td>
              <td>{numberText(row.input_tokens)}</td>
              <td>{numberText(row.output_tokens)}</td>
              {currency === null ? null : <td>{costOf(row, currency)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
