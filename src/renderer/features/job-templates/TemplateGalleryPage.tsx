import { notifications } from '@mantine/notifications'
import { IconArrowRight, IconCheck, IconPlus, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { galleryTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { GalleryList } from '../../ui/GalleryList.tsx'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { YamlEditor } from '../../ui/code/YamlEditor.tsx'
import { NewDocumentPage } from '../../ui/document/NewDocumentPage.tsx'
import { Graph } from '../../ui/graph/Graph.tsx'
import { useAddress } from '../../ui/use-address.ts'
import gallery from '../tasks/gallery.module.css'
import classes from './job-templates.module.css'
import { jobLanguage } from './job-language.ts'
import { type GalleryTemplate, galleryTemplates, readyTask } from './template-gallery.ts'
import { graphNodes } from './template-graph.ts'
import { type GalleryTasks, useGalleryTasks } from './use-gallery-tasks.ts'

/** Which tasks it ties together, and whether they are there. */
function TaskLines({ template, tasks }: { template: GalleryTemplate; tasks: GalleryTasks }) {
  const { t } = useTranslation('jobTemplates')
  const state = (name: string) => {
    if (!tasks.there) return null
    if (tasks.there.includes(name)) {
      return (
        <span className={gallery.slotState} data-ready>
          <IconCheck size={13} aria-hidden /> {t('new.taskThere')}
        </span>
      )
    }
    return readyTask(name) === undefined ? (
      <span className={gallery.slotState}>
        <IconX size={13} aria-hidden /> {t('new.taskMissing')}
      </span>
    ) : (
      <span className={gallery.slotState}>
        <IconPlus size={13} aria-hidden /> {t('new.taskMade')}
      </span>
    )
  }
  // Without their states the graph below says all there is to say of them.
  if (tasks.error && !tasks.there)
    return <LoadFailure text={t('new.tasksUnknown')} error={tasks.error} onRetry={tasks.retry} />
  return (
    <ul className={gallery.slots} aria-label={t('new.tasks')}>
      {template.tasks.map((name) => (
        <li key={name} className={gallery.slotLine}>
          <code>{name}</code>
          {state(name)}
        </li>
      ))}
    </ul>
  )
}

/** One ready template: its tasks, its graph, its text. */
function TemplatePreview({ template, onUse }: { template: GalleryTemplate; onUse(): void }) {
  const { t } = useTranslation('jobTemplates')
  const { t: graph } = useTranslation('graph')
  const tasks = useGalleryTasks(template.tasks)
  const [making, setMaking] = useState(false)
  const nodes = useMemo(
    () => graphNodes(template.nodes, [], { each: t('side.each'), approval: graph('approval') }),
    [template, t, graph],
  )
  const [selected, setSelected] = useState<string | null>(null)
  const take = async () => {
    setMaking(true)
    try {
      const count = await tasks.makeMissing()
      if (count > 0) notifications.show({ message: t('new.made', { count }) })
      onUse()
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      notifications.show({ color: 'red', message: t('new.making', { message }) })
    } finally {
      setMaking(false)
    }
  }
  return (
    <section className={gallery.pane} aria-label={template.title}>
      <header className={gallery.head}>
        <h2>{template.title}</h2>
        <CommandButton
          id="gallery.use"
          label={t('new.use')}
          rightSection={<IconArrowRight size={14} />}
          loading={making}
          onClick={() => void take()}
          shortcut="mod+Enter"
        />
      </header>
      <TaskLines template={template} tasks={tasks} />
      <div className={classes.halves}>
        <div className={classes.galleryGraph}>
          <Graph id="job-template-gallery" nodes={nodes} selected={selected} onSelect={setSelected} />
        </div>
        <div className={classes.galleryCode}>
          <YamlEditor
            value={template.yaml}
            readOnly
            language={jobLanguage}
            label={t('new.yaml', { title: template.title })}
          />
        </div>
      </div>
    </section>
  )
}

/** Ready job templates: looked at here, taken as a new draft together with the tasks that they tie together. */
export function TemplateGalleryPage() {
  const { t } = useTranslation('jobTemplates')
  const [search, set] = useAddress()
  const templates = useInLanguage(galleryTemplates(), galleryTexts)
  const chosen = templates.find((one) => one.id === search.get('show')) ?? templates[0]
  return (
    <NewDocumentPage
      name="job-template"
      title={t('new.title')}
      list={{ label: t('title'), to: paths.jobTemplates() }}
      draftText={t('new.draftText')}
      addressOf={paths.jobTemplateNew}
    >
      {(begin) => (
        <SplitPane id="job-template.gallery" direction="horizontal" initial={0.3} minSize={260}>
          <div className={gallery.pane}>
            <GalleryList
              label={t('new.gallery')}
              groups={[{ id: 'ready', label: t('new.galleryGroup'), items: templates }]}
              chosen={chosen?.id ?? null}
              onChoose={(id) => set({ show: id })}
              onUse={(id) => set({ show: id })}
            />
          </div>
          {chosen ? <TemplatePreview key={chosen.id} template={chosen} onUse={() => begin(chosen.id)} /> : <div />}
        </SplitPane>
      )}
    </NewDocumentPage>
  )
}
