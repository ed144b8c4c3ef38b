import { Alert, Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { browserStore, recallDraft } from '../../ui/document/draft.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DataForm } from './DataForm.tsx'
import { DataRows } from './DataRows.tsx'
import classes from './incoming.module.css'
import { putAside } from './incoming.store.ts'
import { type DataFiles, useDataChoice } from './use-data-choice.ts'
import { useMakeDraft } from './use-make-draft.ts'
import { writeChoices } from './write-choices.ts'

/** A file of rows on its way to a connector and the draft of a task. Nothing but an upload is stored before its button is pressed. */
export function DataDialog({ file, kind, head, others }: DataFiles) {
  const { t } = useTranslation('incoming')
  const { t: tUi } = useTranslation()
  const { can } = useSession()
  const files = useMemo(() => ({ file, kind, head, others }), [file, kind, head, others])
  const data = useDataChoice(files)
  const { reach, rows } = data
  const make = useMakeDraft(data)
  const [chosen, setChosen] = useState<string | null>(null)
  const source = reach?.kind === 'there' ? reach.connector : null
  const targets = writeChoices(kind.format, data.way, data.stem, data.connectors, source)
  const target = targets.find((one) => one.value === chosen) ?? targets[0]
  const replaces = useMemo(() => recallDraft(browserStore(), 'task.new', '') !== null, [])
  const isNew = reach?.kind === 'new'
  const named = data.taskName.trim() !== '' && (!isNew || data.connectorName.trim() !== '')
  const readable = rows.data !== undefined && !rows.isPlaceholderData && rows.data.stages[0]?.error === undefined
  const ready = reach !== null && (!isNew || can('createConnector')) && named && readable
  const nameProblem = make.failure?.code === 'CONFLICT' ? make.failure.message : undefined
  if (!target) return null
  return (
    <FormDialog opened onClose={() => putAside()} title={t('data.title')} size="min(1120px, 94vw)">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) make.submit(target)
        }}
      >
        <div className={classes.body}>
          <DataForm
            data={data}
            targets={targets}
            target={target}
            onTarget={setChosen}
            nameProblem={nameProblem}
            count={1 + others.length}
          />
          <DataRows data={data} />
        </div>
        {make.failure && nameProblem === undefined ? (
          <Alert color="red" variant="light" p={8} mb={12} role="alert">
            {make.failure.message}
          </Alert>
        ) : null}
        <div className={classes.foot}>
          <p>
            {t(isNew ? 'data.footNew' : 'data.foot')} {replaces ? t('data.replaces') : ''}
          </p>
          <Button variant="default" onClick={() => putAside()}>
            {tUi('form.cancel')}
          </Button>
          <Button
            type="submit"
            rightSection={<IconArrowRight size={14} />}
            loading={make.busy}
            disabled={!ready}
            data-autofocus={file.path === null ? undefined : true}
          >
            {t(isNew ? 'data.create' : 'data.open')}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}
