import { Button, Checkbox, MultiSelect, NumberInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { runJob } from '../../../contract/job-run-control.ts'
import type { JobDetail } from '../../../contract/jobs.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Failure } from '../../ui/Failure.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { MomentInput } from '../../ui/MomentInput.tsx'
import { zoneText } from '../../ui/format.ts'
import { readMoment } from '../../ui/work-list/span.rules.ts'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { type Fields, readFields } from '../tasks/argument-fields.ts'
import inputClasses from '../tasks/inputs.module.css'
import { type JobShape, overridable } from './use-job-shape.ts'

interface Props {
  job: JobDetail
  shape: JobShape
  onClose: () => void
}

interface Choices {
  tasks: string[]
  skipDeps: boolean
  fullRefresh: boolean
  priority: number | string
  logicalDate: string
}

function ChoiceFields({
  shape,
  choices,
  wrong,
  change,
}: {
  shape: JobShape
  choices: Choices
  /** The logical date names no moment. */
  wrong: boolean
  change: (values: Partial<Choices>) => void
}) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const [zone] = useState(() => zoneText(new Date()))
  return (
    <>
      <MultiSelect
        label={t('run.tasks')}
        placeholder={choices.tasks.length === 0 ? t('run.allTasks') : ''}
        searchable
        data={shape.taskKeys}
        value={choices.tasks}
        onChange={(tasks) => change({ tasks })}
      />
      {choices.tasks.length > 0 ? (
        <Checkbox
          mt={8}
          label={t('run.skipDeps')}
          checked={choices.skipDeps}
          onChange={(event) => change({ skipDeps: event.currentTarget.checked })}
        />
      ) : null}
      <div className={inputClasses.grid} style={{ margin: '12px 0' }}>
        <MomentInput
          label={t('run.logicalDate')}
          description={zone}
          placeholder={t('run.logicalDateDefault')}
          value={choices.logicalDate}
          time="00:00"
          error={wrong ? word('day.invalidMoment') : undefined}
          onChange={(logicalDate) => change({ logicalDate })}
        />
        <NumberInput
          label={t('run.priority')}
          description={t('run.priorityHint')}
          placeholder={t('run.priorityDefault')}
          min={-100}
          max={100}
          allowDecimal={false}
          value={choices.priority}
          onChange={(priority) => change({ priority })}
        />
      </div>
      <Checkbox
        label={t('run.fullRefresh')}
        checked={choices.fullRefresh}
        onChange={(event) => change({ fullRefresh: event.currentTarget.checked })}
      />
    </>
  )
}

const bodyOf = (choices: Choices, logicalDate: string | undefined, values: Record<string, unknown>) => ({
  ...(Object.keys(values).length > 0 ? { arguments: values } : {}),
  ...(choices.tasks.length > 0 ? { selected_tasks: choices.tasks, skip_deps: choices.skipDeps } : {}),
  ...(choices.fullRefresh ? { full_refresh: true } : {}),
  ...(typeof choices.priority === 'number' ? { priority: choices.priority } : {}),
  ...(logicalDate === undefined ? {} : { logical_date: logicalDate }),
})

function RunForm({ job, shape, onClose }: Props) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  const run = useAction(runJob, { invalidates: ['listAllJobRuns', 'getJobHistory', 'getJob'] })
  const [fields, setFields] = useState<Fields>({})
  const [choices, setChoices] = useState<Choices>({
    tasks: [],
    skipDeps: false,
    fullRefresh: false,
    priority: '',
    logicalDate: '',
  })
  const specs = overridable(shape.specs, shape.parameters)
  const read = readFields(specs, fields)
  const logicalDate = readMoment(choices.logicalDate)
  const submit = () => {
    if (run.isPending || logicalDate === null || Object.keys(read.problems).length > 0) return
    run.mutate(
      {
        params: { id: job.id },
        body: bodyOf(choices, logicalDate, read.values),
        headers: { 'idempotency-key': crypto.randomUUID() },
      },
      {
        onSuccess: (started) => {
          notifications.show({ message: t('run.started', { id: started.id }) })
          void navigate(paths.jobRun(started.id))
        },
      },
    )
  }
  useDialogKeys(true, ['mod+Enter'], submit)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {Object.keys(specs).length > 0 ? (
        <>
          <h2 className={classes.heading}>{t('run.parameters')}</h2>
          <div className={inputClasses.grid} style={{ marginBottom: 12 }}>
            <ArgumentFields
              specs={specs}
              fields={fields}
              problems={read.problems}
              showRequired={false}
              standardOf="job"
              onChange={(name, value) => setFields((now) => ({ ...now, [name]: value }))}
            />
          </div>
          <h2 className={classes.heading}>{t('run.options')}</h2>
        </>
      ) : null}
      <ChoiceFields
        shape={shape}
        choices={choices}
        wrong={logicalDate === null}
        change={(values) => setChoices((now) => ({ ...now, ...values }))}
      />
      {run.error ? <Failure failure={run.error} /> : null}
      <DialogWays>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        <Button type="submit" loading={run.isPending} data-autofocus>
          {t('run.submit')}
        </Button>
      </DialogWays>
    </form>
  )
}

/** Starts a job run: parameters over those of the job, and which tasks. */
export function RunJobDialog(props: Props) {
  const { t } = useTranslation('jobs')
  return (
    <FormDialog opened onClose={props.onClose} size={620} title={t('run.title', { name: props.job.name })}>
      <RunForm {...props} />
    </FormDialog>
  )
}
