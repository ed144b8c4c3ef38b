import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { listConnectors } from '../../../contract/connectors.ts'
import { createJob } from '../../../contract/jobs.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Failure } from '../../ui/Failure.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { useReading } from '../../ui/document/reading.ts'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { InputFields } from '../tasks/InputFields.tsx'
import { type Fields, readFields } from '../tasks/argument-fields.ts'
import inputClasses from '../tasks/inputs.module.css'
import { fillMapping } from '../tasks/run-inputs.ts'
import { templateReader } from './template-reader.ts'

interface MakeJobFormProps {
  onClose(): void
  template: { id: number; name: string; connector_refs: string | null; job_count: number }
  /** The saved text: a job never holds what is not saved. */
  yaml: string
  version: number
  /** There are changes that are not saved: the job does not hold them. */
  onSaveFirst: (() => void) | null
}

/** As many as a list gives at once; whoever has more finds them by typing. */
const most = 200

/** Slots of the text, with the access that its tasks need: only the server knows these. */
function slotsOf(slots: Readonly<Record<string, ConnectorSlot>>, known: string | null): Record<string, ConnectorSlot> {
  // Written by the server: slot → {types, access}.
  const saved = (known === null ? {} : JSON.parse(known)) as Partial<Record<string, ConnectorSlot>>
  return Object.fromEntries(
    Object.entries(slots).map(([name, slot]) => [name, { ...slot, access: saved[name]?.access ?? slot.access }]),
  )
}

function useTerms(yaml: string, known: string | null) {
  const { parsed, of } = useReading(templateReader, yaml)
  const slots = useMemo(() => slotsOf(parsed.connector_refs, known), [parsed, known])
  const found = useOperation(listConnectors, { query: { limit: most, sort: 'name', order: 'asc' } })
  const connectors = found.data?.result ?? []
  const [chosen, setChosen] = useState<Record<string, number>>({})
  const [fields, setFields] = useState<Fields>({})
  return {
    parsed,
    unread: of !== yaml,
    slots,
    connectors,
    mapping: fillMapping(parsed.connector_refs, connectors, chosen),
    choose: (slot: string, id: number | null) => setChosen((now) => ({ ...now, [slot]: id ?? 0 })),
    fields,
    setField: (name: string, text: string) => setFields((now) => ({ ...now, [name]: text })),
    read: readFields(parsed.parameters, fields),
  }
}

/** What a job of this template takes. */
export function MakeJobForm({ onClose, template, yaml, version, onSaveFirst }: MakeJobFormProps) {
  const { t } = useTranslation('jobTemplates')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  // Names of jobs are their own: the first is called like its template.
  const [name, setName] = useState(() =>
    template.job_count === 0 ? template.name : `${template.name}-${template.job_count + 1}`,
  )
  const [description, setDescription] = useState('')
  const [tried, setTried] = useState(false)
  const terms = useTerms(yaml, template.connector_refs)
  const { parsed, mapping, read } = terms
  const make = useAction(createJob, { invalidates: ['listJobs', 'listJobTemplateJobs', 'listJobTemplates'] })
  const first = useRef<HTMLInputElement>(null)
  // Also when the template was chosen after the dialog was there.
  useEffect(() => first.current?.focus(), [])
  const slots = Object.keys(parsed.connector_refs)
  const specs = Object.keys(parsed.parameters)
  const broken = parsed.job === null && !terms.unread
  const ready =
    name.trim() !== '' &&
    !slots.some((slot) => mapping[slot] === undefined) &&
    Object.keys(read.problems).length === 0 &&
    parsed.job !== null
  // What the server says of the name stands beside it; all else below.
  const nameProblem = make.error?.details.find((one) => /(^|\.)name$/.test(one.path))?.message
  const others = make.error?.details.filter((one) => one.message !== nameProblem) ?? []

  const submit = () => {
    setTried(true)
    if (!ready || make.isPending) return
    make.mutate(
      {
        params: { id: template.id },
        body: {
          name: name.trim(),
          ...(description.trim() === '' ? {} : { description: description.trim() }),
          connector_mapping: mapping,
          parameters: read.values,
          template_version: version,
        },
        headers: { 'idempotency-key': crypto.randomUUID() },
      },
      {
        onSuccess: (job) => {
          notifications.show({ message: t('make.made', { name: job.name }) })
          void navigate(paths.job(job.id))
        },
      },
    )
  }
  useDialogKeys(true, ['mod+Enter'], submit)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      noValidate
    >
      {onSaveFirst ? (
        <div className={classes.notice}>
          <span>{t('make.unsaved')}</span>
          <Button size="compact-xs" variant="default" onClick={onSaveFirst}>
            {t('make.saveFirst')}
          </Button>
        </div>
      ) : null}
      <p className={`${classes.text} ${classes.muted}`}>{t('make.version', { version })}</p>
      {broken ? (
        <p className={classes.error} role="alert">
          {t('make.broken')}
        </p>
      ) : null}
      <div className={inputClasses.grid}>
        <TextInput
          ref={first}
          label={t('make.name')}
          value={name}
          required
          maxLength={200}
          error={tried && name.trim() === '' ? t('make.nameMissing') : nameProblem}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label={t('make.description')}
          value={description}
          maxLength={2000}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </div>
      <InputFields
        slots={terms.slots}
        specs={parsed.parameters}
        inputs={terms}
        headings={{ connectors: t('make.connectors'), arguments: t('make.parameters') }}
        tried={tried}
      />
      {slots.length + specs.length === 0 ? <p className={classes.muted}>{t('make.nothing')}</p> : null}
      {make.error && (nameProblem === undefined || others.length > 0) ? (
        <Failure failure={{ message: make.error.message, details: others }} />
      ) : null}
      <DialogWays>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        <Button type="submit" loading={make.isPending || terms.unread} disabled={broken}>
          {t('make.submit')}
        </Button>
      </DialogWays>
    </form>
  )
}

/** Name, connectors and parameters, and a job of the template's saved version is there: then its page. */
export function MakeJobDialog({ opened, ...props }: MakeJobFormProps & { opened: boolean }) {
  const { t } = useTranslation('jobTemplates')
  return (
    <FormDialog
      opened={opened}
      onClose={props.onClose}
      size={620}
      title={t('make.title', { name: props.template.name })}
    >
      <MakeJobForm {...props} />
    </FormDialog>
  )
}
