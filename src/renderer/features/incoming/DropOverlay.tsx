import { IconDatabaseImport, IconFilePencil, IconPackageImport, IconTable } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './incoming.module.css'
import { ofFile, receiveFiles } from './incoming.store.ts'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
/** A field that takes files itself keeps them. */
const isTaken = (event: DragEvent) =>
  event.target instanceof Element && event.target.closest('[data-own-drop]') !== null

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

interface Drag {
  count: number
  kind: Kind | null
}

function dragOf(transfer: DataTransfer | null): Drag {
  const items = Array.from(transfer?.items ?? []).filter((item) => item.kind === 'file')
  const found = new Set(items.map((item) => kindOfType(item.type)))
  return { count: items.length, kind: found.size === 1 ? ([...found][0] ?? null) : null }
}

function take(transfer: DataTransfer | null): void {
  const items = Array.from(transfer?.items ?? [])
  const folders = items
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry()?.isDirectory === true)
  receiveFiles(Array.from(transfer?.files ?? [], (file, at) => ofFile(file, folders[at])))
}

/** Takes files that are dropped anywhere on the window, and says before what becomes of them. */
export function DropOverlay() {
  const { t } = useTranslation('incoming')
  const [drag, setDrag] = useState<Drag | null>(null)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      if (isTaken(event)) return setDrag(null)
      event.preventDefault()
      if (event.type === 'dragenter') setDrag(dragOf(event.dataTransfer))
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDrag(null)
    }
    const drop = (event: DragEvent) => {
      setDrag(null)
      if (!hasFiles(event) || isTaken(event)) return
      event.preventDefault()
      // An editor would put the file's text where it was let go.
      event.stopPropagation()
      take(event.dataTransfer)
    }
    const options = { capture: true }
    globalThis.addEventListener('dragenter', over, options)
    globalThis.addEventListener('dragover', over, options)
    globalThis.addEventListener('dragleave', leave, options)
    globalThis.addEventListener('drop', drop, options)
    return () => {
      globalThis.removeEventListener('dragenter', over, options)
      globalThis.removeEventListener('dragover', over, options)
      globalThis.removeEventListener('dragleave', leave, options)
      globalThis.removeEventListener('drop', drop, options)
    }
  }, [])
  if (!drag) return null
  return (
    <div className={classes.overlay}>
      <div className={classes.sheet}>
        <b>{t('drop.title', { count: drag.count })}</b>
        <ul>
          {kinds.map(({ name, icon: Icon }) => (
            <li
              key={name}
              data-here={drag.kind === name || undefined}
              data-other={(drag.kind !== null && drag.kind !== name) || undefined}
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
