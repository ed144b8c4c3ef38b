import { Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconHandStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, type JobRunNode } from '../../../contract/job-runs.ts'
import { decideGate } from '../../../contract/job-run-control.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { NodeBadge } from './JobRunBadge.tsx'
import classes from './JobRunPage.module.css'
import { useReason } from './NotRunPane.tsx'
import { dependents } from './rerun-choice.ts'

interface GatePaneProps {
  jobRun: JobRun
  node: JobRunNode
  nodes: readonly JobRunNode[]
  onChoose(key: string): void
}

/** Open or refuse, with a note that is kept; refusing is asked twice. */
function Decision({ jobRun, node }: { jobRun: JobRun; node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const { can } = useSession()
  const [note, setNote] = useState('')
  const [refusing, setRefusing] = useState(false)
  const decide = useAction(decideGate, { invalidates: ['getJobRun', 'getJobRunGraph'] })
  const allowed = can('decideGate')
  const send = (open: boolean) => {
    if (decide.isPending) return
    const text = note.trim()
    decide.mutate(
      { params: { id: jobRun.id, key: node.key }, body: { open, ...(text ? { note: text } : {}) } },
      {
        onSuccess: () => {
          setRefusing(false)
          notifications.show({ message: t(open ? 'gate.opened' : 'gate.refused') })
        },
      },
    )
  }
  return (
    <>
      <Textarea
        label={t('gate.note')}
        placeholder={t('gate.notePlaceholder')}
        value={note}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
        disabled={!allowed}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={classes.decide}>
        <CommandButton
          id="gate.open"
          label={t('gate.open')}
          loading={decide.isPending && !refusing}
          disabled={!allowed}
          onClick={() => send(true)}
        />
        <CommandButton
          id="gate.refuse"
          label={t('gate.refuse')}
          variant="default"
          disabled={!allowed}
          onClick={() => setRefusing(true)}
        />
        {allowed ? null : <span className={classes.muted}>{t('actions.notAllowed')}</span>}
      </div>
      {decide.error && !refusing ? (
        <p className={classes.error} role="alert">
          {decide.error.message}
        </p>
      ) : null}
      <ConfirmDialog
        opened={refusing}
        title={t('gate.refuseTitle', { key: node.key })}
        text={t('gate.refuseText')}
        confirmLabel={t('gate.refuseDo')}
        danger
        busy={decide.isPending}
        error={decide.error?.message}
        onConfirm={() => send(false)}
        onClose={() => setRefusing(false)}
      />
    </>
  )
}

function Decided({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const reason = useReason()(node)
  if (node.status === 'pending') return <p className={classes.muted}>{t('gate.waitingBefore')}</p>
  const name = node.decided_by
  return (
    <>
      {name && node.status === 'success' ? <p>{t('gate.openedBy', { name })}</p> : null}
      {name && node.status === 'failed' ? <p>{t('gate.refusedBy', { name })}</p> : null}
      {name ? (
        <p className={classes.muted}>
          <RelativeTime at={node.completed_at} />
        </p>
      ) : null}
      {node.note ? <blockquote className={classes.note}>{node.note}</blockquote> : null}
      {name ? null : (
        <p className={classes.muted}>{node.reason === 'reused' ? t('gate.reused') : (reason ?? node.error_message)}</p>
      )}
    </>
  )
}

/** A gate: what it asks, who decided and why, what waits behind it. */
export function GatePane({ jobRun, node, nodes, onChoose }: GatePaneProps) {
  const { t } = useTranslation('jobRuns')
  const next = dependents(node.key, nodes)
  return (
    <>
      <div className={classes.nodeHead}>
        <IconHandStop size={15} aria-hidden />
        <h2 className={classes.nodeKey}>{node.key}</h2>
        <NodeBadge node={node} />
      </div>
      <div className={classes.gate}>
        <div className={classes.muted}>{t('gate.asks')}</div>
        <p className={classes.question}>{node.message}</p>
        {node.status === 'paused' ? (
          <>
            {node.started_at ? (
              <p className={classes.muted}>
                {t('gate.since')} <RelativeTime at={node.started_at} />
              </p>
            ) : null}
            <Decision jobRun={jobRun} node={node} />
          </>
        ) : (
          <Decided node={node} />
        )}
        <h3 className={classes.gateHeading}>{t('gate.downstream')}</h3>
        {next.length === 0 ? <p className={classes.muted}>{t('gate.noDownstream')}</p> : null}
        <div className={classes.keys}>
          {next.map((key) => (
            <button key={key} type="button" className={classes.keyButton} onClick={() => onChoose(key)}>
              {key}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}
