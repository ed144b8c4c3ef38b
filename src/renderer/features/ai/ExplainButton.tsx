import { Alert, Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { explainRun, previewExplainRun } from '../../../contract/ai.ts'
import type { Run } from '../../../contract/runs.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { isLanguage } from '../../i18n/languages.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { numberText } from '../../ui/format.ts'
import { AiDialog } from './AiDialog.tsx'
import { AskBar } from './AskBar.tsx'
import type { HandedOver, Proposed } from './Proposal.tsx'
import { SentDialog } from './SentDialog.tsx'
import classes from './ai.module.css'
import { useGeneration } from './use-generation.ts'

/** Asks a model why a run failed. Absent where AI is not configured. */
export function ExplainButton({ run }: { run: Run }) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  return (
    <AiDialog
      id="run.explain"
      possible={can('explainRun') && run.error_code !== null}
      label={t('explain.open')}
      title={t('explain.title', { task: run.task_name, id: run.id })}
    >
      {(where) => <Explaining run={run} where={where} />}
    </AiDialog>
  )
}

function Explaining({ run, where }: { run: Run; where: string }) {
  const { t, i18n } = useTranslation('ai')
  const generation = useGeneration(explainRun)
  const sent = useAction(previewExplainRun)
  const { busy, answer, explanation, usage, error } = generation
  const request = { run_id: run.id, language: isLanguage(i18n.language) ? i18n.language : undefined }
  const start = (expected_digest?: string) => {
    sent.reset()
    void generation.start({ ...request, ...(expected_digest !== undefined && { expected_digest }) })
  }
  const said = explanation?.text ?? answer
  return (
    <Stack gap={12}>
      <AskBar
        where={where}
        possible={!busy}
        busy={busy}
        showing={sent.isPending}
        onShow={() => sent.mutate({ body: request })}
        onCancel={generation.cancel}
        start={{
          label: t(explanation ? 'explain.again' : 'explain.start'),
          again: explanation !== null,
          onClick: () => start(),
        }}
      />
      {sent.error ? <ErrorState error={sent.error} compact /> : null}
      {error ? (
        <Alert color="red" role="alert">
          <CodeWords text={error.message} />
        </Alert>
      ) : null}
      {said ? <div className={classes.explanation}>{said}</div> : null}
      <div role="status" className={classes.faint}>
        {busy ? t('explain.busy') : null}
        {explanation ? t('explain.check') : null}
        {usage ? ` ${t('progress.tokens', { text: numberText(usage.input_tokens + usage.output_tokens) })}` : null}
      </div>
      {explanation?.yaml_content ? (
        <Fix
          run={run}
          explanation={{ ...explanation, yaml_content: explanation.yaml_content }}
          unasked={generation.preview?.ran === true}
        />
      ) : null}
      <SentDialog sent={sent.data ?? null} onSend={start} onClose={sent.reset} />
    </Stack>
  )
}

interface FixProps {
  run: Run
  explanation: Pick<Proposed, 'yaml_content' | 'valid' | 'findings' | 'connector_mapping'>
  /** Its rows may be read without a click. */
  unasked: boolean
}

/** To the editor, where each change is accepted or rejected. */
function Fix({ run, explanation, unasked }: FixProps) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const navigate = useNavigate()
  if (!can('updateTask')) return null
  const { yaml_content, valid, findings, connector_mapping } = explanation
  const proposal: HandedOver = {
    yaml_content,
    valid,
    findings,
    connector_mapping,
    references: [],
    attempts: 1,
    // Written as JSON of its schema.
    args: JSON.parse(run.arguments ?? '{}') as Record<string, unknown>,
    unasked,
  }
  return (
    <Group justify="space-between" gap={8}>
      <span>{t(valid ? 'explain.fix' : 'explain.fixInvalid')}</span>
      <Button onClick={() => void navigate(paths.task(run.task_id, { side: 'ai' }), { state: { proposal } })}>
        {t('explain.review')}
      </Button>
    </Group>
  )
}
