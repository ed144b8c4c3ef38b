import { Alert, Button, Group } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AiEvent } from '../../../contract/ai.ts'
import { translateHint, translateMessage } from '../../i18n/translate.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { HunkViewHandle } from '../../ui/code/HunkView.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ProposalRows } from './ProposalRows.tsx'
import { UsedReferences } from './UsedReferences.tsx'
import classes from './ai.module.css'

const HunkView = lazyPart(async () => (await import('../../ui/code/HunkView.tsx')).HunkView)

export type Proposed = Pick<
  Extract<AiEvent, { event: 'proposal' }>,
  'yaml_content' | 'valid' | 'findings' | 'references' | 'attempts'
> & {
  /** Connectors of the slots of a task. */
  connector_mapping: Record<string, number>
}

/** By the explanation of a failure, to the editor of its task. */
export type HandedOver = Proposed & {
  /** Arguments of the run. */
  args: Record<string, unknown>
  /** Its rows may be read without a click. */
  unasked: boolean
}

interface ProposalProps {
  proposal: Proposed
  /** null: it has none. `unasked`: they may be read without a click. `args`: of the task; none by default. */
  rows: { unasked: boolean; args?: Record<string, unknown> } | null
  /** What stands in the editor now. */
  text: string
  onText: (text: string) => void
  /** Whether the keyboard waits for the changes. */
  takesFocus: () => boolean
  onDone: () => void
}

/** What the model proposes, as changes of the text that are accepted or rejected one by one. */
export function Proposal({ proposal, rows, text, onText, takesFocus, onDone }: ProposalProps) {
  const { t } = useTranslation('ai')
  const { yaml_content, valid, findings, references } = proposal
  /** Null until its code has been loaded. */
  const [view, setView] = useState<HunkViewHandle | null>(null)
  /** The text that the changes are shown against, and what has become of it by accepting some. */
  const [base, setBase] = useState(text)
  const [accepted, setAccepted] = useState(text)
  const [left, setLeft] = useState<number | null>(null)
  const isOvertaken = text !== accepted
  const compareAgain = () => {
    setBase(text)
    setAccepted(text)
    setLeft(null)
  }
  const accept = (next: string, more: number) => {
    setAccepted(next)
    setLeft(more)
    onText(next)
  }
  const errors = findings.filter(({ severity }) => severity === 'error')
  const isSame = yaml_content === base
  return (
    <div className={classes.proposal}>
      <div className={classes.bar} role="status">
        <StatusBadge status={valid ? 'success' : 'failed'} label={t(valid ? 'proposal.valid' : 'proposal.invalid')} />
        {left === 0 ? <span>{t('proposal.decided')}</span> : null}
      </div>
      <UsedReferences parts={references} />
      {errors.length > 0 ? (
        <ul className={classes.findings} aria-label={t('proposal.findings')}>
          {errors.map((one) => (
            <li key={`${one.line}:${one.column} ${one.path} ${one.message}`}>
              <CodeWords text={translateMessage(one)} /> <CodeWords text={translateHint(one)} />
            </li>
          ))}
        </ul>
      ) : null}
      {yaml_content === '' ? null : isSame ? (
        <p className={classes.note}>{t('proposal.same')}</p>
      ) : isOvertaken ? (
        <Alert color="yellow" className={classes.note}>
          <Group justify="space-between">
            {t('proposal.overtaken')}
            <Button variant="default" onClick={compareAgain}>
              {t('proposal.again')}
            </Button>
          </Group>
        </Alert>
      ) : (
        <Suspense fallback={null}>
          <HunkView
            ref={setView}
            before={base}
            after={yaml_content}
            label={t('proposal.label')}
            acceptLabel={t('proposal.accept')}
            rejectLabel={t('proposal.reject')}
            onAccept={accept}
            onReject={setLeft}
            takesFocus={takesFocus}
          />
        </Suspense>
      )}
      {valid && rows && left !== 0 ? (
        <ProposalRows
          yaml={yaml_content}
          mapping={proposal.connector_mapping}
          args={rows.args}
          runsUnasked={rows.unasked}
        />
      ) : null}
      <Group justify="flex-end" className={classes.foot}>
        <Button variant="default" onClick={onDone}>
          {t(left === 0 ? 'proposal.close' : 'proposal.discard')}
        </Button>
        {yaml_content !== '' && !isSame && !isOvertaken && left !== 0 ? (
          <Button disabled={!view} onClick={() => view?.acceptAll()}>
            {t('proposal.acceptAll')}
          </Button>
        ) : null}
      </Group>
    </div>
  )
}
