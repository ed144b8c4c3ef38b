import { Alert, Button, CloseButton, Group } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { getAiUsage } from '../../../contract/ai-usage.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { numberText, percentText } from '../../ui/format.ts'
import { AskBar, Prompt } from './AskBar.tsx'
import { type HandedOver, Proposal } from './Proposal.tsx'
import { SentDialog } from './SentDialog.tsx'
import classes from './ai.module.css'
import type { AiPart } from './use-ai-part.tsx'
import { type AiKind, type AiOf, aiKinds } from './ai-kinds.ts'
import { ReferencesChoice } from './choices.tsx'
import { type Generation, useGeneration } from './use-generation.ts'

interface AiPanelProps {
  kind: AiKind
  /** What stands in the editor. */
  text: string
  onText: (text: string) => void
  readOnly: boolean
  /** null: everything may change. */
  part: AiPart | null
  onPart: (part: AiPart | null) => void
}

/** Asks a model for a change of the text, or for a new one, and shows it as changes to accept. */
export function AiPanel(props: AiPanelProps) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const usage = useOperation(getAiUsage)
  if (!usage.data)
    return usage.error ? (
      <ErrorState what="ai-usage" error={usage.error} onRetry={() => void usage.refetch()} compact />
    ) : null
  if (props.readOnly || !can(aiKinds[props.kind].generate.id))
    return <EmptyState icon={IconSparkles} title={t('panel.notYours')} text={t('panel.notYoursText')} compact />
  if (!usage.data.configured) {
    const action = can('getServerConfig') ? (
      <Button component={Link} to={paths.settings('configuration', { find: 'ai.' })} variant="default">
        {t('panel.configure')}
      </Button>
    ) : undefined
    return <EmptyState icon={IconSparkles} title={t('panel.off')} text={t('panel.offText')} action={action} compact />
  }
  return (
    <Asking
      {...props}
      of={aiKinds[props.kind]}
      model={usage.data.model ?? ''}
      host={usage.data.host ?? ''}
      mayShowRows={usage.data.rows === 'ask'}
      budgetUsed={usage.data.daily_tokens === 0 ? 0 : usage.data.tokens / usage.data.daily_tokens}
    />
  )
}

/** A proposal that another page has handed over. */
function useHandedOver(): [HandedOver | null, () => void] {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  // Written by the explanation of a failure alone.
  const { proposal = null } = (state ?? {}) as { proposal?: HandedOver }
  return [proposal, () => void navigate(pathname + search, { replace: true, state: null })]
}

interface AskingProps extends AiPanelProps {
  of: AiOf
  model: string
  host: string
  mayShowRows: boolean
  /** Share of the tokens of today; more than 1: exceeded. */
  budgetUsed: number
}

/** From here on the panel says how much of the budget is left. */
const BUDGET_NEAR = 0.8

function Asking({ kind, of, text, onText, part, onPart, model, host, mayShowRows, budgetUsed }: AskingProps) {
  const { t } = useTranslation('ai')
  const panel = useRef<HTMLDivElement>(null)
  const [prompt, setPrompt] = useState('')
  const [chosen, setChosen] = useState<{ rows?: boolean }>({})
  const [references, setReferences] = useState<readonly number[]>([])
  const generation = useGeneration(of.generate)
  const [handed, forgetHanded] = useHandedOver()
  const sent = useAction(of.preview)
  const { busy, error } = generation
  const proposal = generation.proposal ?? (busy ? null : handed)
  const isWritten = text.trim() !== ''
  const requestOf = (words: string, only: AiPart | null) => ({
    prompt: words.trim(),
    ...chosen,
    reference_ids: [...references],
    ...(isWritten && { base_yaml: text, ...(only && { part: only.path }) }),
  })
  const request = requestOf(prompt, part)
  const possible = prompt.trim() !== '' && !busy
  const show = (body = request) => sent.mutate({ body })
  const send = (digest: string) => {
    const body = { ...(sent.variables?.body ?? request), expected_digest: digest }
    sent.reset()
    void generation.start(body)
  }
  /** Rows leave only after they were seen. */
  const generate = (body = request) => {
    sent.reset()
    if (chosen.rows) show(body)
    else void generation.start(body)
  }
  const describe = () => {
    const words = t(`panel.describePrompt.${kind}`)
    setPrompt(words)
    onPart({ path: 'description' })
    generate(requestOf(words, { path: 'description' }))
  }
  // What was written in the text is asked once; the keyboard waits here for the changes.
  useEffect(() => {
    if (part?.prompt === undefined) return
    setPrompt(part.prompt)
    onPart({ path: part.path })
    panel.current?.focus()
    generate(requestOf(part.prompt, part))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is asked with what is chosen when it comes
  }, [part])
  return (
    <div ref={panel} className={classes.panel} tabIndex={-1}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (possible) generate()
        }}
      >
        <Group justify={part ? 'space-between' : 'flex-end'} gap={8} mih={24}>
          {part ? (
            <span className={classes.part}>
              {t('part.only', { path: part.path })}
              <CloseButton size="xs" aria-label={t('part.everything')} onClick={() => onPart(null)} />
            </span>
          ) : null}
          {isWritten ? (
            <Button variant="subtle" size="compact-xs" disabled={busy} onClick={describe}>
              {t(`panel.describe.${kind}`)}
            </Button>
          ) : null}
        </Group>
        <Prompt
          label={t('panel.prompt')}
          placeholder={t(`panel.examples.${kind}`)}
          rows={3}
          value={prompt}
          onChange={setPrompt}
          onAsk={() => void (possible && generate())}
        />
        <Group grow align="start" gap={8}>
          <of.Choice chosen={chosen} onChange={setChosen} mayShowRows={mayShowRows} />
          <ReferencesChoice chosen={references} onChange={setReferences} />
        </Group>
        <AskBar
          where={t(chosen.rows ? 'panel.whereRows' : 'panel.where', { model, host })}
          possible={possible}
          busy={busy}
          showing={sent.isPending}
          onShow={() => show()}
          onCancel={generation.cancel}
          start={{ label: t('panel.generate'), again: false }}
        />
        {budgetUsed >= BUDGET_NEAR ? (
          <span className={classes.faint}>{t('panel.budget', { share: percentText(Math.min(1, budgetUsed)) })}</span>
        ) : null}
      </form>
      {sent.error ? <ErrorState error={sent.error} compact /> : null}
      {error ? (
        <Alert color="red" role="alert" className={classes.failure}>
          <CodeWords text={error.message} />
        </Alert>
      ) : null}
      <Progress generation={generation} />
      {proposal ? (
        <Proposal
          key={`${proposal.attempts} ${proposal.yaml_content}`}
          proposal={proposal}
          rows={kind === 'task' ? (proposal === handed ? handed : { unasked: generation.preview?.ran === true }) : null}
          text={text}
          onText={onText}
          takesFocus={() => document.activeElement === panel.current}
          onDone={() => {
            generation.forget()
            if (handed) forgetHanded()
          }}
        />
      ) : null}
      <SentDialog sent={sent.data ?? null} onSend={send} onClose={sent.reset} />
    </div>
  )
}

function Progress({ generation }: { generation: Generation }) {
  const { t } = useTranslation('ai')
  const { busy, attempt, answer, preview, usage } = generation
  const last = preview?.ran ? preview.stages.at(-1) : undefined
  return (
    <>
      <div role="status" className={classes.status}>
        {busy ? t(attempt > 1 ? 'progress.repair' : 'progress.busy', { attempt }) : null}
        {last && !busy
          ? t('progress.preview', { count: last.row_count, columns: last.columns.map(({ name }) => name).join(', ') })
          : null}
        {usage ? ` ${t('progress.tokens', { text: numberText(usage.input_tokens + usage.output_tokens) })}` : null}
      </div>
      {busy && answer ? <pre className={classes.answer}>{answer}</pre> : null}
    </>
  )
}
