import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRun } from '../../../contract/job-runs.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import classes from './JobRunBanner.module.css'
import { useGateDecision } from './use-gate-decision.ts'

/** Approve or reject with a comment, in the banner; rejecting is confirmed. */
export function GateBar({ run, gateKey }: { run: JobRun; gateKey: string }) {
  const { t } = useTranslation('jobRuns')
  const [rejecting, setRejecting] = useState(false)
  const gate = useGateDecision({ jobRunId: run.id, key: gateKey }, () => setRejecting(false))
  const hint = gate.allowed ? undefined : t('actions.notAllowed')
  return (
    <>
      {gate.error && !rejecting ? (
        <span className={classes.error} role="alert" title={gate.error}>
          {gate.error}
        </span>
      ) : null}
      <TextInput
        className={classes.comment}
        size="xs"
        aria-label={t('gate.comment')}
        placeholder={t('gate.commentPlaceholder')}
        value={gate.comment}
        maxLength={2000}
        disabled={!gate.allowed}
        onChange={(event) => gate.setComment(event.currentTarget.value)}
      />
      <CommandButton
        id="gate.approve"
        needsServer
        label={t('gate.approve')}
        title={t('gate.approveTitle', { key: gateKey })}
        shortcut="shift+a"
        size="compact-sm"
        loading={gate.busy && !rejecting}
        disabled={!gate.allowed}
        hint={hint}
        onClick={() => gate.decide(true)}
      />
      <CommandButton
        id="gate.reject"
        opens
        needsServer
        label={t('gate.reject')}
        title={t('gate.rejectDo', { key: gateKey })}
        size="compact-sm"
        variant="default"
        disabled={!gate.allowed}
        hint={hint}
        onClick={() => setRejecting(true)}
      />
      <ConfirmDialog
        opened={rejecting}
        title={t('gate.rejectTitle', { key: gateKey })}
        text={t('gate.rejectText')}
        confirmLabel={t('gate.reject')}
        danger
        busy={gate.busy}
        error={gate.error}
        onConfirm={() => gate.decide(false)}
        onClose={() => setRejecting(false)}
      />
    </>
  )
}
