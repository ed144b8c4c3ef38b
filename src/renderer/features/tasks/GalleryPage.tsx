import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { galleryTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { GalleryList } from '../../ui/GalleryList.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { GalleryPreview } from './GalleryPreview.tsx'
import { findTasks, galleryGroups, galleryTasks } from './gallery.ts'
import classes from './gallery.module.css'
import preview from './preview.module.css'
import { NewDocumentPage } from '../../ui/document/NewDocumentPage.tsx'

/** Ready tasks, one for every source, target, step and kind: looked at here, taken as a new draft. */
export function GalleryPage() {
  const { t } = useTranslation('tasks')
  const [search, set] = useAddress()
  const q = search.get('q') ?? ''
  const all = useInLanguage(galleryTasks(), galleryTexts)
  const tasks = useMemo(() => {
    const found = findTasks(all, q)
    return galleryGroups.flatMap((group) => found.filter((one) => one.group === group))
  }, [all, q])
  const groups = galleryGroups.map((group) => ({
    id: group,
    label: t(`gallery.${group}`),
    items: tasks.filter((one) => one.group === group),
  }))
  const chosen = tasks.find((one) => one.id === search.get('show')) ?? tasks[0]
  return (
    <NewDocumentPage
      name="task"
      title={t('new.title')}
      list={{ label: t('title'), to: paths.tasks() }}
      draftText={t('new.draftText')}
      addressOf={paths.taskNew}
    >
      {(begin) => (
        <SplitPane id="tasks.gallery" direction="horizontal" initial={0.36} minSize={300}>
          <div className={classes.pane}>
            <div className={`${preview.bar} ${classes.search}`}>
              <SearchField
                value={q}
                label={t('gallery.search')}
                width={180}
                yields={100}
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
              <GalleryList
                label={t('new.gallery')}
                groups={groups}
                chosen={chosen?.id ?? null}
                onChoose={(id) => set({ show: id })}
                onUse={begin}
              />
            )}
          </div>
          {chosen ? <GalleryPreview key={chosen.id} task={chosen} onUse={() => begin(chosen.id)} /> : <div />}
        </SplitPane>
      )}
    </NewDocumentPage>
  )
}
