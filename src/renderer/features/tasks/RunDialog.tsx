import { Button, Group, Modal, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { triggerRun } from '../../../contract/runs.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { Failure } from '../../ui/Failure.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { useReading } from '../../ui/document/reading.ts'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import { InputFields } from './InputFields.tsx'
import { keepsState } from './task-parts.ts'
import { taskReader } from './task-reader.ts'
import type { InputsFor } from './use-run-inputs.ts'

interface RunDialogProps {
  opened: boolean
  onClose(): void
  task: { id: number; name: string }
  /** The saved text: a run never takes what is not saved. */
  yaml: string
  version: number
  dirty: boolean
  inputsFor: InputsFor
  onSaveFirst(): void
}

function RunForm({ onClose, task, yaml, version, dirty, inputsFor, onSaveFirst }: RunDialogProps) {
  const { t } = useTranslation('tasks')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  const [tried, setTried] = useState(false)
  const [fullRefresh, setFullRefresh] = useState(false)
  const trigger = useAction(triggerRun, { invalidates: ['listRuns'] })
  const { parsed, of } = useReading(taskReader, yaml)
  const unread = of !== yaml
  const inputs = inputsFor(parsed)
  const incremental = keepsState(parsed.task)
  const slots = Object.keys(parsed.connector_refs)
  const specs = Object.keys(parsed.arguments)
  const missing = slots.some((slot) => inputs.mapping[slot] === undefined)
  const ready = !missing && Object.keys(inputs.read.problems).length === 0

  const start = () => {
    setTried(true)
    if (!ready || trigger.isPending || !parsed.task) return
    inputs.remember()
    trigger.mutate(
      {
        params: { taskId: task.id },
        body: {
          connector_mapping: inputs.mapping,
          arguments: inputs.read.values,
          ...(incremental && fullRefresh ? { full_refresh: true } : {}),
        },
        headers: { 'idempotency-key': crypto.randomUUID() },
      },
      {
        onSuccess: (run) => {
          notifications.show({ message: t('run.started', { id: run.id }) })
          void navigate(paths.run(run.id))
        },
      },
    )
  }
  useDialogKeys(true, ['mod+Enter'], start)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
      noValidate
    >
      {dirty ? (
        <div className={classes.notice}>
          <span>
            {t('run.unsaved')} {t('run.version', { version })}
          </span>
          <Button size="compact-xs" variant="default" onClick={onSaveFirst}>
            {t('run.saveFirst')}
          </Button>
        </div>
      ) : (
        <p className={`${classes.text} ${classes.muted}`}>{t('run.version', { version })}</p>
      )}
      {parsed.task || unread ? null : (
        <p className={classes.error} role="alert">
          {t('run.broken')}
        </p>
      )}
      <InputFields
        slots={parsed.connector_refs}
        specs={parsed.arguments}
        inputs={inputs}
        headings={{ connectors: t('run.connectors'), arguments: t('run.arguments') }}
        tried={tried}
      />
      {incremental ? (
        <Switch
          mt={16}
          label={t('run.fullRefresh')}
          description={t('run.fullRefreshText')}
          checked={fullRefresh}
          onChange={(event) => setFullRefresh(event.currentTarget.checked)}
        />
      ) : null}
      {slots.length + specs.length === 0 && !unread ? <p className={classes.muted}>{t('run.nothing')}</p> : null}
      {trigger.error ? <Failure failure={trigger.error} /> : null}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        <Button
          type="submit"
          loading={trigger.isPending || unread}
          disabled={!parsed.task}
          leftSection={<IconPlayerPlay size={14} />}
          data-autofocus
        >
          {t('run.submit')}
        </Button>
      </Group>
    </form>
  )
}

/** Connectors and arguments as last used, and one key to go: then the run's page. */
export function RunDialog(props: RunDialogProps) {
  const { t } = useTranslation('tasks')
  const { t: word } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size={620}
      title={<b>{t('run.title', { name: props.task.name })}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <RunForm {...props} />
    </Modal>
  )
}
