import { isNumber, cellOf, shownText } from '../../ui/grid/cell.rules.ts'
import classes from './dashboards.module.css'
import type { TableRows } from './table.rules.ts'

/** All rows on paper, where nothing scrolls. */
export function PrintedTable({ fields, rows }: TableRows) {
  return (
    <table className={classes.printed}>
      <thead>
        <tr>
          {fields.map(({ name, type }, at) => (
            // Two columns may have the same name.
            // oxlint-disable-next-line react/no-array-index-key
            <th key={at} data-align={isNumber(type) ? 'right' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no name, and don't move
          <tr key={index}>
            {fields.map((field, at) => {
              const { type, text } = cellOf(row[at], field.type)
              return (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={at} data-align={isNumber(type) ? 'right' : undefined}>
                  {typeof text === 'string' ? shownText({ type, text }) : text === null ? 'NULL' : ''}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
