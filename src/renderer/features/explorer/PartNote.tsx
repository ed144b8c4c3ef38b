import { useTranslation } from 'react-i18next'
import { numberText } from '../../ui/format.ts'
import classes from './find.module.css'
import type { ShownResult } from './use-query.ts'

/** Says that not all rows are in a view. `part`: how many are; null: all. */
export function PartNote({
  kind,
  part,
  result,
}: {
  kind: 'chart' | 'jsonata'
  part: number | null
  result: ShownResult
}) {
  const { t } = useTranslation('explorer')
  if (part === null) return null
  const { count, complete } = result.rows.state
  const first = numberText(part)
  return (
    <div className={classes.part} role="status">
      <span>
        {complete ? t(`${kind}.partOf`, { first, of: numberText(count) }) : t(`${kind}.part`, { first })}{' '}
        {t(`${kind}.inQuery`)}
      </span>
    </div>
  )
}
