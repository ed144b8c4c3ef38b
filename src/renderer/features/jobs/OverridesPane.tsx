import { SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type JobDetail,
  type JobSnapshot,
  type SnapshotTask,
  deleteJobTaskOverride,
  getJob,
  getJobSnapshot,
  setJobTaskOverride,
} from '../../../contract/jobs.ts'
import { type ApiFailure, call, ifMatch } from '../../api/client.ts'
import { following } from '../../api/followed-draft.rules.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { UnsavedGuard } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { DiffView } from '../../ui/code/DiffView.tsx'
import { YamlEditor } from '../../ui/code/YamlEditor.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useAddressPart } from '../../ui/use-address-part.ts'
import { useFindings } from '../job-runs/use-findings.ts'
import classes from './jobs.module.css'
import { leavesTab } from './leaves-tab.ts'

const stale = ['getJob', 'getJobSnapshot'] as const
const storedOf = (task: SnapshotTask) => task.override_yaml ?? task.yaml_content

/** Saves a text of the task, or takes it away (null), over what is shown and over nothing newer. */
function useOverride(job: JobDetail, task: SnapshotTask) {
  const client = useQueryClient()
  const key = task.task_key
  const params = { id: job.id }
  const readAgain = async () => {
    // The job first: its ETag then belongs to nothing that is newer than the texts.
    const record = await call(getJob, { params })
    const snapshot = await call(getJobSnapshot, { params })
    client.setQueryData(queryKey(getJob, { params }), record)
    client.setQueryData(queryKey(getJobSnapshot, { params }), snapshot)
    return { record, now: snapshot.tasks.find((one) => one.task_key === key) }
  }
  return useMutation<boolean, ApiFailure, string | null>({
    mutationFn: async (text) => {
      const { record, now } = await readAgain()
      // Somebody else has changed it: the page has it now, and asks.
      if (!now || storedOf(now) !== storedOf(task)) return false
      if (text === null) await call(deleteJobTaskOverride, { params: { ...params, key } })
      else {
        await call(setJobTaskOverride, {
          params: { ...params, key },
          body: { yaml_content: text },
          headers: ifMatch(record),
        })
      }
      return true
    },
    // It is saved once the page shows it: until then the text that is stored would look like somebody else's.
    onSuccess: async () => {
      await Promise.all(stale.map((id) => client.invalidateQueries({ queryKey: [id] })))
    },
  })
}

const writtenText = following<string, string>({ draftOf: (stored) => stored, same: (a, b) => a === b })

const views = ['edit', 'diff'] as const

/** One task's own text: edited, compared with what is pinned, saved or taken away. */
function OverrideEditor({ job, task }: { job: JobDetail; task: SnapshotTask }) {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const readOnly = !can('setJobTaskOverride')
  const stored = storedOf(task)
  const { draft: text, write, sends, overtaken } = useFollowedDraft(stored, writtenText)
  const setText = (next: string) => write(() => next)
  const [view, setView] = useAddressPart('view', views, 'edit')
  const findings = useFindings(text)
  const override = useOverride(job, task)
  const put = (yaml: string | null) => {
    sends(yaml ?? task.yaml_content)
    override.mutate(yaml, {
      onSuccess: (done) => {
        if (!done) return
        const word = yaml === null ? 'overrides.removed' : 'overrides.saved'
        notifications.show({ message: t(word, { key: task.task_key }) })
        if (yaml === null) setText(task.yaml_content)
      },
    })
  }
  const dirty = text !== stored
  return (
    <div className={classes.column}>
      <UnsavedGuard dirty={dirty} leaves={leavesTab} />
      <div className={classes.head2}>
        <SegmentedControl
          aria-label={task.task_key}
          value={view}
          data={[
            { value: 'edit', label: t('overrides.edit') },
            { value: 'diff', label: t('overrides.diff') },
          ]}
          onChange={setView}
        />
        <span className={classes.muted}>{dirty ? t('overrides.unsaved') : null}</span>
        <span className={classes.spacer} />
        {task.override_yaml !== null && !readOnly ? (
          <CommandButton
            id="override.remove"
            label={t('overrides.remove')}
            variant="default"
            loading={override.isPending}
            onClick={() => put(null)}
          />
        ) : null}
        {readOnly ? null : (
          <CommandButton
            id="override.save"
            label={t('overrides.save')}
            disabled={!dirty || overtaken !== null}
            loading={override.isPending}
            onClick={() => put(text)}
            shortcut="mod+s"
          />
        )}
      </div>
      <OvertakenNotice overtaken={overtaken} text={t('conflict.override')} />
      <div className={classes.grow}>
        {view === 'edit' ? (
          <YamlEditor
            value={text}
            onChange={setText}
            findings={findings}
            readOnly={readOnly}
            label={t('overrides.editor', { key: task.task_key })}
            keys={[
              {
                key: 'Mod-s',
                run: () => {
                  if (dirty && overtaken === null && !override.isPending) put(text)
                  return true
                },
              },
            ]}
          />
        ) : (
          <DiffView
            before={task.yaml_content}
            after={text}
            beforeLabel={t('overrides.pinned', { task: task.task_name, version: task.version })}
            afterLabel={t('overrides.ours')}
          />
        )}
      </div>
      {override.error ? <Failure failure={override.error} /> : null}
    </div>
  )
}

/** The job's tasks left, the chosen one's own text right. */
export function OverridesPane({ job, snapshot }: { job: JobDetail; snapshot: JobSnapshot }) {
  const { t } = useTranslation('jobs')
  const [address, setAddress] = useAddress()
  // What this job does differently is what one comes to see; it stays chosen when its text is taken away.
  const [first] = useState(() => snapshot.tasks.find((task) => task.override_yaml !== null)?.task_key)
  const wanted = address.get('task') ?? first
  const chosen = snapshot.tasks.find((task) => task.task_key === wanted) ?? snapshot.tasks[0]
  return (
    <SplitPane id="job-overrides" initial={0.22} minSize={180}>
      <nav className={classes.keys} aria-label={t('tabs.overrides')}>
        {snapshot.tasks.map((task) => (
          <button
            key={task.task_key}
            type="button"
            className={classes.key}
            title={task.task_key}
            aria-current={task.task_key === chosen?.task_key || undefined}
            onClick={() => setAddress({ task: task.task_key })}
          >
            <span className={classes.clip}>{task.task_key}</span>
            <span className={task.override_yaml === null ? classes.muted : classes.own}>
              {task.override_yaml === null ? t('overrides.none') : t('overrides.own')}
            </span>
          </button>
        ))}
      </nav>
      {chosen ? <OverrideEditor key={chosen.task_key} job={job} task={chosen} /> : <div />}
    </SplitPane>
  )
}
