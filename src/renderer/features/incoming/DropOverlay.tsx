import { IconDatabaseImport, IconFilePencil, IconPackageImport, IconTable } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './incoming.module.css'
import { useDrag } from './incoming.store.ts'

const kinds = [
  { name: 'rows', icon: IconTable },
  { name: 'database', icon: IconDatabaseImport },
  { name: 'document', icon: IconFilePencil },
  { name: 'bundle', icon: IconPackageImport },
] as const
type Kind = (typeof kinds)[number]['name']

/** While it is dragged a browser tells a file's type at most, and no name. */
function kindOfType(type: string): Kind | null {
  if (/yaml/.test(type)) return 'document'
  if (/sqlite/.test(type)) return 'database'
  return /csv|tab-separated|json|parquet|spreadsheet|excel/.test(type) ? 'rows' : null
}

/** Says before files are let go what becomes of them. */
export function DropOverlay() {
  const { t } = useTranslation('incoming')
  const drag = useDrag()
  if (!drag) return null
  const found = new Set(drag.types.map(kindOfType))
  const kind = found.size === 1 ? ([...found][0] ?? null) : null
  return (
    <div className={classes.overlay}>
      <div className={classes.sheet}>
        <b>{t('drop.title', { count: drag.types.length })}</b>
        <ul>
          {kinds.map(({ name, icon: Icon }) => (
            <li
              key={name}
              data-here={kind === name || undefined}
              data-other={(kind !== null && kind !== name) || undefined}
            >
              <Icon size={18} stroke={1.5} aria-hidden />
              <span>{t(`drop.${name}`)}</span>
              <span>{t(`drop.${name}To`)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
