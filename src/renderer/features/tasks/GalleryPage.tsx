import { Button } from '@mantine/core'
import { IconFilePencil, IconSearchOff } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { GalleryPreview } from './GalleryPreview.tsx'
import { type GalleryTask, findTasks, galleryGroups, galleryTasks } from './gallery.ts'
import classes from './gallery.module.css'
import preview from './preview.module.css'
import { browserStore, dropDraft, recallDraft } from '../../ui/document/draft.ts'

interface ListProps {
  tasks: readonly GalleryTask[]
  chosen: GalleryTask | undefined
  onChoose(id: string): void
  onUse(id: string): void
}

/** The tasks under their headings; arrow keys choose, Enter takes. */
function TaskList({ tasks, chosen, onChoose, onUse }: ListProps) {
  const { t } = useTranslation('tasks')
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tasks.findIndex((one) => one.id === chosen?.id)
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: tasks.length - 1 }
    const next = moves[event.key]
    const target = next === undefined ? undefined : tasks[Math.max(0, Math.min(next, tasks.length - 1))]
    if (target) {
      onChoose(target.id)
      list.current?.querySelector<HTMLElement>(`[data-id="${target.id}"]`)?.focus()
    } else if (event.key === 'Enter' && chosen) onUse(chosen.id)
    else return
    event.preventDefault()
  }
  return (
    <div ref={list} className={classes.list} role="listbox" aria-label={t('new.gallery')} tabIndex={-1}>
      {galleryGroups.map((group) => {
        const here = tasks.filter((one) => one.group === group)
        if (here.length === 0) return null
        return (
          <div key={group} role="group" aria-label={t(`gallery.${group}`)}>
            <div className={classes.group} aria-hidden>
              {t(`gallery.${group}`)}
            </div>
            {here.map((one) => (
              <div
                key={one.id}
                role="option"
                aria-selected={one.id === chosen?.id}
                tabIndex={one.id === chosen?.id ? 0 : -1}
                className={classes.task}
                data-id={one.id}
                onClick={() => onChoose(one.id)}
                onDoubleClick={() => onUse(one.id)}
                onKeyDown={onKeyDown}
              >
                <b>{one.title}</b>
                <span className={classes.text}>{one.description}</span>
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}

/** Ready tasks, one for every source, target, step and kind: looked at here, taken as a new draft. */
export function GalleryPage() {
  const { t } = useTranslation('tasks')
  const navigate = useNavigate()
  const [search, set] = useAddress()
  const q = search.get('q') ?? ''
  const tasks = useMemo(() => {
    const found = findTasks(galleryTasks(), q)
    return galleryGroups.flatMap((group) => found.filter((one) => one.group === group))
  }, [q])
  const chosen = tasks.find((one) => one.id === search.get('show')) ?? tasks[0]
  const draft = recallDraft(browserStore(), 'task.new', '')
  const use = (sample: string) => {
    if (sample !== 'draft') dropDraft(browserStore(), 'task.new')
    void navigate(paths.taskNew({ sample }))
  }
  return (
    <Page
      title={t('new.title')}
      crumbs={[{ label: t('title'), to: paths.tasks() }]}
      actions={
        <>
          {draft ? (
            <Button
              variant="default"
              leftSection={<IconFilePencil size={14} />}
              title={t('new.draftText')}
              onClick={() => use('draft')}
            >
              {t('new.draft')}
            </Button>
          ) : null}
          <Button variant="default" onClick={() => use('blank')}>
            {t('new.blank')}
          </Button>
        </>
      }
      layout="fill"
    >
      <SplitPane id="tasks.gallery" direction="horizontal" initial={0.36} minSize={300}>
        <div className={classes.pane}>
          <div className={preview.bar}>
            <SearchField
              value={q}
              label={t('gallery.search')}
              width={260}
              onChange={(next) => set({ q: next || null })}
            />
            <span className={preview.note}>{t('gallery.count', { count: tasks.length })}</span>
          </div>
          {tasks.length === 0 ? (
            <EmptyState
              icon={IconSearchOff}
              title={t('gallery.noneTitle')}
              text={t('gallery.noneText')}
              action={
                <Button variant="default" onClick={() => set({ q: null })}>
                  {t('list.clearFilters')}
                </Button>
              }
            />
          ) : (
            <TaskList tasks={tasks} chosen={chosen} onChoose={(id) => set({ show: id })} onUse={use} />
          )}
        </div>
        {chosen ? <GalleryPreview key={chosen.id} task={chosen} onUse={() => use(chosen.id)} /> : <div />}
      </SplitPane>
    </Page>
  )
}
