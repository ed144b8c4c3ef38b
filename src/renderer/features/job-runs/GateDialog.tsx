import { Button, Group, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useGateDecision } from './use-gate-decision.ts'

interface GateDialogProps {
  jobRunId: number
  jobName: string
  gateKey: string
  question: string | null
  onClose(): void
}

/** A waiting gate, decided from wherever it is listed. */
export function GateDialog({ jobRunId, jobName, gateKey, question, onClose }: GateDialogProps) {
  const { t } = useTranslation('jobRuns')
  const gate = useGateDecision({ jobRunId, key: gateKey }, onClose)
  return (
    <FormDialog opened title={`${jobName} #${jobRunId} · ${gateKey}`} size={460} onClose={onClose}>
      <Text size="sm">{question}</Text>
      <Textarea
        mt={12}
        label={t('gate.comment')}
        placeholder={t('gate.commentPlaceholder')}
        value={gate.comment}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
        onChange={(event) => gate.setComment(event.currentTarget.value)}
      />
      <Text size="xs" mt={8} c="var(--hg-text-muted)">
        {t('gate.rejectText')}
      </Text>
      {gate.error ? (
        <Text size="sm" mt={8} c="var(--hg-status-failed-text)" role="alert">
          {gate.error}
        </Text>
      ) : null}
      <Group justify="flex-end" mt={16} gap={8}>
        <Button variant="default" disabled={gate.busy} onClick={() => gate.decide(false)}>
          {t('gate.reject')}
        </Button>
        <Button loading={gate.busy} onClick={() => gate.decide(true)} data-autofocus>
          {t('gate.approve')}
        </Button>
      </Group>
    </FormDialog>
  )
}
