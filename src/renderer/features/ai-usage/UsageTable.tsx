import { useTranslation } from 'react-i18next'
import type { AiUsageRow } from '../../../contract/ai-usage.ts'
import { numberText } from '../../ui/format.ts'
import classes from './ai-usage.module.css'
import { useCostText } from './cost-text.ts'

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
  const costText = useCostText()
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
              {currency === null ? null : <td>{costText(row, currency) ?? t('noPrice')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
