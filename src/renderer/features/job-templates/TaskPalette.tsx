import { ActionIcon, Loader } from '@mantine/core'
import { IconFileCode, IconHandStop, IconPlus, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import classes from './job-templates.module.css'
import { type Pick, dragOf } from './palette-drag.ts'

interface ItemProps {
  pick: Pick
  name: string
  text: string | null
  busy: boolean
  onAdd(after: boolean): void
}

function Item({ pick, name, text, busy, onAdd }: ItemProps) {
  const { t } = useTranslation('jobTemplates')
  const Icon = pick.kind === 'gate' ? IconHandStop : IconFileCode
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.setData(...dragOf(pick))
    event.dataTransfer.effectAllowed = 'copy'
  }
  return (
    <li>
      <button
        type="button"
        className={classes.item}
        draggable
        onDragStart={onDragStart}
        onClick={(event) => onAdd(event.shiftKey)}
        disabled={busy}
        title={t('palette.add', { name })}
      >
        <Icon size={15} stroke={1.6} aria-hidden />
        <span className={classes.itemWords}>
          <span className={classes.itemName}>{name}</span>
          {text ? <span className={classes.itemText}>{text}</span> : null}
        </span>
        {busy ? <Loader size={12} /> : <IconPlus size={14} aria-hidden className={classes.itemPlus} />}
      </button>
    </li>
  )
}

interface TaskPaletteProps {
  /** Task that is being read before it is added. */
  adding: number | null
  /** `after`: it waits for the task that is chosen, as one does that is dropped on it. */
  onAdd(pick: Pick, after: boolean): void
  onClose(): void
}

/** Every task of the server, to be clicked or dragged into the template; and the gate. */
export function TaskPalette({ adding, onAdd, onClose }: TaskPaletteProps) {
  const { t } = useTranslation('jobTemplates')
  const [search, setSearch] = useState('')
  const list = useList(
    listTasks,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(search ? { q: search } : {}) } },
    { keepPrevious: true },
  )
  const gateShown = search === '' || t('palette.gate').toLowerCase().includes(search.toLowerCase())
  return (
    <section className={classes.palette} aria-label={t('palette.title')}>
      <div className={classes.paletteHead}>
        <SearchField value={search} onChange={setSearch} label={t('palette.search')} width={168} />
        <ActionIcon aria-label={t('palette.close')} onClick={onClose}>
          <IconX size={15} />
        </ActionIcon>
      </div>
      <p className={classes.hint}>{t('palette.hint')}</p>
      {list.error ? <ErrorState what="tasks" error={list.error} onRetry={list.retry} compact /> : null}
      <ul className={classes.items} aria-label={t('palette.title')}>
        {gateShown ? (
          <Item
            pick={{ kind: 'gate' }}
            name={t('palette.gate')}
            text={t('palette.gateText')}
            busy={false}
            onAdd={(after) => onAdd({ kind: 'gate' }, after)}
          />
        ) : null}
        {list.rows.map((task) => (
          <Item
            key={task.id}
            pick={{ kind: 'task', id: task.id }}
            name={task.name}
            text={task.description}
            busy={adding === task.id}
            onAdd={(after) => onAdd({ kind: 'task', id: task.id }, after)}
          />
        ))}
      </ul>
      {list.total === 0 ? (
        <p className={classes.hint}>
          {search ? t('palette.none') : t('palette.empty')} <Link to={paths.taskNew()}>{t('palette.newTask')}</Link>
        </p>
      ) : null}
      {list.hasNext ? <p className={classes.hint}>{t('palette.more')}</p> : null}
    </section>
  )
}
