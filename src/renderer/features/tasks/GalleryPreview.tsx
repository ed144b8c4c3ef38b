import { Alert } from '@mantine/core'
import { IconArrowRight, IconCheck, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listConnectors } from '../../../contract/connectors.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { YamlEditor } from '../../ui/code/YamlEditor.tsx'
import { Tags } from '../../ui/Tags.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { type GalleryTask, textOf } from './gallery.ts'
import classes from './gallery.module.css'
import { fillMapping } from './run-inputs.ts'
import { useSlotWords } from './use-slot-words.ts'
import { useExampleRun } from './use-example-run.tsx'

/** Which connectors the task asks for, and whether there are such. */
function Slots({ task }: { task: GalleryTask }) {
  const { t } = useTranslation('tasks')
  const wordsOf = useSlotWords()
  const found = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const slots = useMemo(() => parseTask(task.yaml).connector_refs, [task])
  const connectors = found.data?.result
  if (Object.keys(slots).length === 0) return <p className={classes.slotLine}>{t('gallery.noSlots')}</p>
  const mapping = fillMapping(slots, connectors ?? [], {})
  return (
    <>
      {found.error && !connectors ? (
        <LoadFailure text={t('gallery.noConnectors')} error={found.error} onRetry={() => void found.refetch()} />
      ) : null}
      <ul className={classes.slots} aria-label={t('run.connectors')}>
        <li className={classes.slotLine} data-head>
          <span>{t('gallery.slotName')}</span>
          <span>{t('gallery.slotType')}</span>
          <span>{t('gallery.slotUses')}</span>
        </li>
        {Object.entries(slots).map(([name, slot]) => {
          const fitting = connectors?.filter((one) => slot.types.includes(one.type)) ?? []
          const chosen = fitting.find((one) => one.id === mapping[name])
          return (
            <li key={name} className={classes.slotLine}>
              <code>{name}</code>
              <span className={dialogs.muted}>{wordsOf(slot).text}</span>
              {connectors === undefined ? (
                <span className={dialogs.muted}>{found.error ? '–' : ''}</span>
              ) : fitting.length === 0 ? (
                <Link to={paths.connectorNew({ type: slot.types[0] })} className={classes.slotState}>
                  <IconPlus size={13} aria-hidden /> {t('slots.create')}
                </Link>
              ) : (
                <span className={classes.slotState} data-ready>
                  <IconCheck size={13} aria-hidden /> {chosen?.name ?? t('gallery.fitting', { count: fitting.length })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** One task of the gallery: what it teaches, what it needs, its text. */
export function GalleryPreview({ task, onUse }: { task: GalleryTask; onUse(): void }) {
  const { t } = useTranslation('tasks')
  const run = useExampleRun(task)
  return (
    <section className={classes.pane} aria-label={task.title}>
      <header className={classes.head}>
        <div>
          <h2>{task.title}</h2>
          <div>
            <Tags
              tags={[...(task.kind === 'pipeline' ? [] : [t('gallery.kind', { kind: task.kind })]), ...task.tags]}
            />
          </div>
        </div>
        <div className={classes.actions}>
          {run.button}
          <CommandButton
            id="gallery.use"
            label={t('new.use')}
            rightSection={<IconArrowRight size={14} />}
            onClick={onUse}
            shortcut="mod+Enter"
          />
        </div>
      </header>
      {run.error ? (
        <Alert color="red" variant="light" m={8} p={8} role="alert">
          {run.error.message}
        </Alert>
      ) : null}
      <Slots task={task} />
      <div className={classes.code}>
        <YamlEditor value={textOf(task)} readOnly label={t('gallery.yaml', { title: task.title })} />
      </div>
    </section>
  )
}
