import { useState } from 'react'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StoreInfo } from '../../../contract/store-care.ts'
import { bytesText } from '../../ui/time.ts'
import classes from './store-care.module.css'

const fewest = 10

/** A bar a table, longest first; the longest is as wide as the column. */
export function TableBars({ tables, unused }: { tables: StoreInfo['tables']; unused: number }) {
  const { t } = useTranslation('storeCare')
  const [all, setAll] = useState(false)
  const rows = [...tables, ...(unused > 0 ? [{ name: '', bytes: unused }] : [])].toSorted((a, b) => b.bytes - a.bytes)
  const most = rows[0]?.bytes ?? 1
  const shown = all ? rows : rows.slice(0, fewest)
  return (
    <>
      <table className={classes.bars}>
        <caption>{t('tablesCaption')}</caption>
        <tbody>
          {shown.map(({ name, bytes }) => (
            <tr key={name} data-unused={name === '' || undefined}>
              <th scope="row">{name ? <code>{name}</code> : t('unusedRow')}</th>
              <td className={classes.barCell} aria-hidden>
                <span className={classes.bar} style={{ width: `${Math.max(0.4, (bytes / most) * 100)}%` }} />
              </td>
              <td className={classes.bytes}>{bytesText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > fewest ? (
        <Button variant="subtle" color="gray" size="compact-xs" ml={-8} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('allTables', { count: rows.length })}
        </Button>
      ) : null}
    </>
  )
}
