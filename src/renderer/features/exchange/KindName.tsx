import {
  IconFileCode,
  IconLayoutGrid,
  IconNotes,
  IconSitemap,
  IconTableSpark,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Cut } from '../../ui/Cut.tsx'
import classes from './exchange.module.css'
import type { ResultRow } from './import-state.ts'

/** As the navigation has them. */
const icons: Readonly<Record<ResultRow['kind'], TablerIcon>> = {
  task: IconFileCode,
  job_template: IconSitemap,
  dashboard_template: IconLayoutGrid,
  ai_reference: IconNotes,
  explorer_preset: IconTableSpark,
}

/** The name of a record with the icon of its kind: the column that says it has no room in a narrow window. */
export function KindName({ kind, name }: Pick<ResultRow, 'kind' | 'name'>) {
  const { t } = useTranslation('exchange')
  const Icon = icons[kind]
  return (
    <span className={classes.kindName}>
      <span title={t(`kind.${kind}`)}>
        <Icon size={14} stroke={1.7} role="img" aria-label={t(`kind.${kind}`)} />
      </span>
      <span>
        <Cut text={name} />
      </span>
    </span>
  )
}
