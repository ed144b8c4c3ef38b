import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generateQuery, previewGenerateQuery } from '../../../contract/ai.ts'
import type { Connector } from '../../../contract/connectors.ts'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { numberText } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Statement } from '../explorer/Statement.tsx'
import { AiDialog } from './AiDialog.tsx'
import { AskBar, Prompt } from './AskBar.tsx'
import { SentDialog } from './SentDialog.tsx'
import classes from './ai.module.css'
import { ReferencesChoice } from './choices.tsx'
import { UsedReferences } from './UsedReferences.tsx'
import { type Generation, useGeneration } from './use-generation.ts'

interface QuestionProps {
  connector: Pick<Connector, 'id' | 'name'>
  /** The query that can be changed; empty: there is none. */
  current: string
  /** It is shown in the editor, and not run. */
  onQuery: (query: string) => void
  /** Likewise, in the builder. */
  onBuilder: (resource: string, definition: ExplorerPresetDefinition) => void
}

/** Asks a model for a query that answers a question. Absent where AI is not configured. */
export function QuestionButton(props: QuestionProps) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  return (
    <AiDialog
      id="explorer.question"
      possible={can('generateQuery')}
      label={t('question.open')}
      title={t('question.title', { name: props.connector.name })}
    >
      {(where, close) => (
        <Question
          {...props}
          onQuery={(query) => {
            close()
            props.onQuery(query)
          }}
          onBuilder={(resource, definition) => {
            close()
            props.onBuilder(resource, definition)
          }}
          where={where}
        />
      )}
    </AiDialog>
  )
}

function Question({ connector, current, onQuery, onBuilder, where }: QuestionProps & { where: string }) {
  const { t } = useTranslation('ai')
  const [prompt, setPrompt] = useState('')
  const [references, setReferences] = useState<readonly number[]>([])
  const [changes, setChanges] = useState(false)
  const generation = useGeneration(generateQuery)
  const sent = useAction(previewGenerateQuery)
  const { busy, attempt, query, usage, error } = generation
  const request = {
    prompt: prompt.trim(),
    connector_id: connector.id,
    builder: true,
    reference_ids: [...references],
    ...(changes && { base_query: current }),
  }
  const possible = request.prompt !== '' && !busy
  const generate = (expected_digest?: string) => {
    sent.reset()
    void generation.start({ ...request, ...(expected_digest !== undefined && { expected_digest }) })
  }
  return (
    <Stack gap={12}>
      <form
        className={classes.question}
        onSubmit={(event) => {
          event.preventDefault()
          if (possible) generate()
        }}
      >
        <Prompt
          label={t('question.prompt')}
          placeholder={t('question.example')}
          rows={2}
          value={prompt}
          onChange={setPrompt}
          onAsk={() => void (possible && generate())}
        />
        <ReferencesChoice chosen={references} onChange={setReferences} />
        {current.trim() === '' ? null : (
          <Checkbox
            label={t('question.change')}
            checked={changes}
            onChange={(event) => setChanges(event.currentTarget.checked)}
          />
        )}
        <AskBar
          where={where}
          possible={possible}
          busy={busy}
          showing={sent.isPending}
          onShow={() => sent.mutate({ body: request })}
          onCancel={generation.cancel}
          start={{ label: t('panel.generate'), again: query !== null }}
        />
      </form>
      {sent.error ? <ErrorState error={sent.error} compact /> : null}
      {error ? (
        <Alert color="red" role="alert">
          <CodeWords text={error.message} />
        </Alert>
      ) : null}
      <div role="status" className={classes.faint}>
        {busy ? t(attempt > 1 ? 'progress.repair' : 'progress.busy', { attempt }) : null}
        {usage && !busy ? t('progress.tokens', { text: numberText(usage.input_tokens + usage.output_tokens) }) : null}
      </div>
      {query ? <Proposed query={query} onQuery={onQuery} onBuilder={onBuilder} /> : null}
      <SentDialog sent={sent.data ?? null} onSend={generate} onClose={sent.reset} />
    </Stack>
  )
}

type ProposedProps = Pick<QuestionProps, 'onQuery' | 'onBuilder'> & { query: NonNullable<Generation['query']> }

/** What is proposed: a query, or conditions of the builder with the statement that they stand for. */
function Proposed({ query: proposed, ...on }: ProposedProps) {
  const { t } = useTranslation('ai')
  const { query, parameters, resource, definition, valid, findings, references } = proposed
  const isBuilder = definition !== null && resource !== null
  return (
    <>
      <StatusBadge status={valid ? 'success' : 'failed'} label={t(valid ? 'question.valid' : 'proposal.invalid')} />
      <UsedReferences parts={references} />
      {findings.length > 0 ? (
        <ul className={classes.findings} aria-label={t('proposal.findings')}>
          {findings.map((one) => (
            <li key={`${one.path} ${one.code} ${one.message}`}>
              {one.path === '' ? null : (
                <>
                  <code>{one.path}</code>{' '}
                </>
              )}
              <CodeWords text={translateMessage(one)} />
            </li>
          ))}
        </ul>
      ) : null}
      {query === '' ? null : (
        <section className={classes.query} aria-label={t('question.query')}>
          {isBuilder ? <Statement text={query} values={parameters} /> : <pre>{query}</pre>}
        </section>
      )}
      {query === '' && !isBuilder ? null : (
        <Group justify="flex-end" gap={12}>
          <span className={classes.faint}>{t('question.notRun')}</span>
          {isBuilder ? (
            <Button onClick={() => on.onBuilder(resource, definition)}>{t('question.useBuilder')}</Button>
          ) : (
            <Button onClick={() => on.onQuery(query)}>{t('question.use')}</Button>
          )}
        </Group>
      )}
    </>
  )
}
