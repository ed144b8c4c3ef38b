import { useState } from 'react'
import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { StoreInfo } from '../../../contract/store-care.ts'
import { bytesText } from '../../ui/time.ts'
import classes from './store-care.module.css'

const fewest = 10

/** A bar a table, and what else takes space, longest first; the longest is as wide as the column. */
export function TableBars({ info }: { info: StoreInfo }) {
  const { t } = useTranslation('storeCare')
  const [all, setAll] = useState(false)
  const tables = info.tables.map(({ name, bytes }) => ({ key: name, name: <code>{name}</code>, bytes }))
  const others = [
    { key: ' unused', name: t('unusedRow'), bytes: info.unused_bytes },
    { key: ' log', name: t('logRow'), bytes: info.log_bytes },
  ].filter(({ bytes }) => bytes > 0)
  const rows = [...tables, ...others].toSorted((a, b) => b.bytes - a.bytes)
  const most = rows[0]?.bytes ?? 1
  const shown = all ? rows : rows.slice(0, fewest)
  return (
    <>
      <table className={classes.bars}>
        <caption>{t('tablesCaption')}</caption>
        <tbody>
          {shown.map(({ key, name, bytes }) => (
            <tr key={key} data-unused={key === ' unused' || undefined}>
              <th scope="row">{name}</th>
              <td className={classes.barCell} aria-hidden>
                <span className={classes.bar} style={{ width: `${Math.max(0.4, (bytes / most) * 100)}%` }} />
              </td>
              <td className={classes.bytes}>{bytesText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > fewest ? (
        <Button
          variant="default"
          size="compact-xs"
          mt={6}
          leftSection={all ? <IconChevronUp size={13} /> : <IconChevronDown size={13} />}
          onClick={() => setAll(!all)}
        >
          {all ? t('fewer') : t('allTables', { count: rows.length })}
        </Button>
      ) : null}
    </>
  )
}
