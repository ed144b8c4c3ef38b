import { Button, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listConnectors } from '../../../contract/connectors.ts'
import { type JobDetail, type JobUpgrade, getJob, upgradeJob } from '../../../contract/jobs.ts'
import { call, etagOf } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DiffView } from '../../ui/code/DiffView.tsx'
import { useReading } from '../../ui/document/reading.ts'
import { templateReader } from '../job-templates/template-reader.ts'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { SlotPickers } from '../tasks/SlotPickers.tsx'
import { type Fields, readFields } from '../tasks/argument-fields.ts'
import inputClasses from '../tasks/inputs.module.css'
import { fillMapping } from '../tasks/run-inputs.ts'
import classes from './jobs.module.css'
import type { JobShape } from './use-job-shape.ts'

interface TextChange {
  key: string
  name?: string
  change: JobUpgrade['tasks'][number]['change']
  from_version: number | null
  to_version: number | null
  before: string | null
  after: string | null
}

const sideOf = (name: string, version: number | null) => (version === null ? name : `${name} (v${version})`)

/** Texts that change, each with its difference. `first`: the first one is open. */
function ChangedTexts({ title, texts, first }: { title: string; texts: readonly TextChange[]; first: boolean }) {
  const { t } = useTranslation('jobs')
  const changed = texts.filter(({ change }) => change !== 'unchanged')
  const [open, setOpen] = useState<string | null>((first && changed[0]?.key) || null)
  const shown = changed.find(({ key }) => key === open)
  if (changed.length === 0) return null
  return (
    <>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.changes}>
        {changed.map(({ key, name, change, from_version: from, to_version: to }) => (
          <button
            key={key}
            type="button"
            className={classes.key}
            aria-expanded={key === open}
            onClick={() => setOpen(key === open ? null : key)}
            style={{ gridColumn: '1 / -1', paddingRight: 0 }}
          >
            {key === open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
            <span className={`${classes.clip} ${classes.spacer}`}>
              {key} <span className={classes.muted}>{name}</span>
            </span>
            <span className={classes.muted}>{t(`upgrade.change.${change}`, { from: from ?? '', to: to ?? '' })}</span>
          </button>
        ))}
      </div>
      {shown ? (
        <DiffView
          before={shown.before ?? ''}
          after={shown.after ?? ''}
          beforeLabel={sideOf(t('upgrade.before'), shown.from_version)}
          afterLabel={sideOf(t('upgrade.after'), shown.to_version)}
          most="min(40vh, 420px)"
        />
      ) : null}
    </>
  )
}

function Changes({ upgrade }: { upgrade: JobUpgrade }) {
  const { t } = useTranslation('jobs')
  const same = upgrade.template.before === upgrade.template.after
  const tasks = upgrade.tasks.map(({ task_key: key, task_name: name, ...task }) => ({ key, name, ...task }))
  const dashboards = upgrade.dashboards.map(({ name: key, ...dashboard }) => ({ key, ...dashboard }))
  // Where the template is the same, the first text that changes is the difference.
  const byTask = tasks.some(({ change }) => change !== 'unchanged')
  return (
    <>
      {same ? (
        <p className={classes.first}>{t('upgrade.unchanged')}</p>
      ) : (
        <>
          <h2 className={classes.heading}>{t('upgrade.template')}</h2>
          <DiffView
            before={upgrade.template.before}
            after={upgrade.template.after}
            beforeLabel={sideOf(t('upgrade.before'), upgrade.template.from_version)}
            afterLabel={sideOf(t('upgrade.after'), upgrade.template.to_version)}
            most="min(40vh, 420px)"
          />
        </>
      )}
      <ChangedTexts title={t('upgrade.tasks')} texts={tasks} first={same} />
      <ChangedTexts title={t('upgrade.dashboards')} texts={dashboards} first={same && !byTask} />
      {upgrade.overrides.length > 0 ? (
        <>
          <h2 className={classes.heading}>{t('upgrade.overrides')}</h2>
          <div className={classes.changes}>
            {upgrade.overrides.map((override) => (
              <div key={override.task_key} style={{ display: 'contents' }}>
                <span>{override.task_key}</span>
                <span className={classes.muted}>
                  {!override.fits
                    ? t('upgrade.gone')
                    : override.diagnostics.length > 0
                      ? t('upgrade.problem')
                      : t('upgrade.fits')}
                </span>
              </div>
            ))}
          </div>
        </>
      ) : null}
    </>
  )
}

/** Connectors and parameters that the newer text asks for, beside those the job gives already. */
function useTerms(shape: JobShape, after: string | undefined) {
  const { parsed } = useReading(templateReader, after ?? '')
  const found = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const connectors = found.data?.result ?? []
  const [chosen, setChosen] = useState<Record<string, number>>({})
  const [fields, setFields] = useState<Fields>({})
  const slots = Object.fromEntries(Object.entries(parsed.connector_refs).filter(([name]) => !(name in shape.mapping)))
  const specs = Object.fromEntries(
    Object.entries(parsed.parameters).filter(([name, spec]) => spec.required && !(name in shape.parameters)),
  )
  return {
    slots,
    specs,
    connectors,
    mapping: fillMapping(slots, connectors, chosen),
    choose: (slot: string, id: number | null) => setChosen((now) => ({ ...now, [slot]: id ?? 0 })),
    fields,
    setField: (name: string, text: string) => setFields((now) => ({ ...now, [name]: text })),
    read: readFields(specs, fields),
  }
}

/** The difference to the newest versions, what they need beyond that, and the upgrade itself. */
export function UpgradeDialog({ job, shape, onClose }: { job: JobDetail; shape: JobShape; onClose: () => void }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const look = useAction(upgradeJob)
  const apply = useAction(upgradeJob, {
    invalidates: ['getJob', 'getJobSnapshot', 'listJobs', 'getJobHistory', 'listDashboards'],
  })
  const { mutate } = look
  // What is shown belongs to the job as it was then; a later change is noticed by the server.
  const [etag, setEtag] = useState(() => etagOf(job))
  const lookAgain = async () => {
    setEtag(etagOf(await call(getJob, { params: { id: job.id } })))
    mutate({ params: { id: job.id }, body: { dry_run: true } })
  }
  useEffect(() => mutate({ params: { id: job.id }, body: { dry_run: true } }), [mutate, job.id])
  const upgrade = look.data
  const terms = useTerms(shape, upgrade?.template.after)
  const asks = Object.keys(terms.slots).length + Object.keys(terms.specs).length > 0
  const begin = () =>
    apply.mutate(
      {
        params: { id: job.id },
        body: {
          connector_mapping: { ...shape.mapping, ...terms.mapping },
          parameters: { ...shape.parameters, ...terms.read.values },
        },
        ...(etag ? { headers: { 'if-match': etag } } : {}),
      },
      {
        onSuccess: () => {
          notifications.show({ message: t('upgrade.done') })
          onClose()
        },
        // The difference is shown afresh beside what the server says; upgrading is asked for once more.
        onError: (error) => {
          if (error.status === 409) void lookAgain()
        },
      },
    )
  const failure = apply.error ?? look.error
  return (
    <Modal
      opened
      onClose={onClose}
      size={upgrade?.changed ? 'min(1100px, 92vw)' : 480}
      title={<b>{t('upgrade.title', { name: job.name })}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      {look.isPending ? <p className={classes.first}>{t('upgrade.working')}</p> : null}
      {upgrade && !upgrade.changed ? <p className={classes.first}>{t('upgrade.nothing')}</p> : null}
      {upgrade?.changed ? <Changes upgrade={upgrade} /> : null}
      {asks ? (
        <>
          <h2 className={classes.heading}>{t('upgrade.bind')}</h2>
          <div className={inputClasses.grid}>
            <SlotPickers
              slots={terms.slots}
              connectors={terms.connectors}
              mapping={terms.mapping}
              onChoose={terms.choose}
              required={Object.keys(terms.slots)}
              showMissing
            />
            <ArgumentFields
              specs={terms.specs}
              fields={terms.fields}
              problems={terms.read.problems}
              showRequired
              onChange={terms.setField}
            />
          </div>
        </>
      ) : null}
      {upgrade && upgrade.problems.length > 0 && !asks ? (
        <div className={classes.problems} role="alert">
          {t('upgrade.problems')}
          <ul>
            {upgrade.problems.map((problem) => (
              <li key={`${problem.path} ${problem.message}`}>{problem.message}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {failure ? <Failure failure={failure} /> : null}
      <DialogWays>
        <Button variant="default" onClick={onClose} data-autofocus>
          {upgrade && !upgrade.changed ? word('close') : word('form.cancel')}
        </Button>
        {upgrade?.changed ? (
          <Button loading={apply.isPending} onClick={begin}>
            {t('upgrade.submit')}
          </Button>
        ) : null}
      </DialogWays>
    </Modal>
  )
}
