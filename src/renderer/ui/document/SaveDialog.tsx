import { Button, Modal, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../Failure.tsx'
import { DiffView } from '../code/DiffView.tsx'
import { useDialogKeys } from '../use-dialog-keys.ts'
import classes from './dialogs.module.css'
import type { DocumentRecord } from './document.types.ts'
import type { SaveConflict, SaveState } from './use-save-document.ts'

interface SaveDialogProps {
  opened: boolean
  onClose(): void
  name: string
  before: string
  version: number
  text: string
  state: SaveState
  onSaved(record: DocumentRecord): void
  /** Gives up one's own text for the version saved by somebody else. */
  onTheirs(conflict: SaveConflict): void
  onText(text: string): void
}

/** Left theirs, right one's own, editable: nothing that either wrote is lost. */
function ConflictBody({
  conflict,
  text,
  onText,
}: {
  conflict: SaveConflict
  text: string
  onText(text: string): void
}) {
  const { t } = useTranslation('documents')
  const { version } = conflict
  const by = version.created_by_name ? t('save.conflictBy', { name: version.created_by_name }) : ''
  return (
    <>
      <p className={classes.text}>
        {t('save.conflictText', { version: version.version, by })}{' '}
        {version.change_summary ? (
          <span className={classes.muted}>{t('save.conflictSummary', { summary: version.change_summary })}</span>
        ) : null}
      </p>
      <DiffView
        before={conflict.record.yaml_content}
        after={text}
        beforeLabel={t('save.theirs', { version: version.version })}
        afterLabel={t('save.mine')}
        onChange={onText}
        takeLabel={t('save.take')}
        most="min(54vh, 640px)"
      />
    </>
  )
}

/** Saving goes by way of the difference: what will change is seen before it does. */
export function SaveDialog(props: SaveDialogProps) {
  const { opened, onClose, name, before, version, text, state, onSaved, onTheirs, onText } = props
  const { t } = useTranslation('documents')
  const { t: word } = useTranslation()
  const [summary, setSummary] = useState('')
  const { conflict } = state
  useEffect(() => {
    if (!opened) setSummary('')
  }, [opened])
  const save = async () => {
    if (state.saving) return
    const saved = await state.save(text, summary)
    if (!saved) return
    notifications.show({ message: t('save.saved', { version: saved.current_version }) })
    onSaved(saved)
  }
  useDialogKeys(opened, ['mod+s', 'mod+Enter'], () => void save())
  const next = (conflict?.version.version ?? version) + 1
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(1180px, 92vw)"
      title={
        <b>{conflict ? t('save.conflictTitle', { version: conflict.version.version }) : t('save.title', { name })}</b>
      }
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {conflict ? (
          <ConflictBody conflict={conflict} text={text} onText={onText} />
        ) : (
          <DiffView
            before={before}
            after={text}
            beforeLabel={t('save.before', { version })}
            afterLabel={t('save.after')}
            most="min(54vh, 640px)"
          />
        )}
        {state.error ? <Failure failure={state.error} /> : null}
        <div className={classes.foot}>
          <TextInput
            className={classes.summary}
            label={t('save.summary')}
            placeholder={t('save.summaryPlaceholder')}
            maxLength={500}
            value={summary}
            onChange={(event) => setSummary(event.currentTarget.value)}
            data-autofocus
          />
          {conflict ? (
            <Button variant="default" onClick={() => onTheirs(conflict)}>
              {t('save.dropMine')}
            </Button>
          ) : null}
          <Button variant="default" onClick={onClose}>
            {word('form.cancel')}
          </Button>
          <Button type="submit" loading={state.saving}>
            {conflict ? t('save.keepMine', { version: next }) : t('save.submit', { version: next })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
