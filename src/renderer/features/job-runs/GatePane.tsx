import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { NodeBadge } from './JobRunBadge.tsx'
import classes from './JobRunPage.module.css'
import { useReason } from './NotRunPane.tsx'
import { isReused } from './node-status.ts'
import { dependents } from './rerun-choice.ts'
import { translateError } from '../../i18n/translate.ts'

interface GatePaneProps {
  node: JobRunNode
  nodes: readonly JobRunNode[]
  onChoose(key: string): void
}

function Decided({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const reason = useReason()(node)
  if (node.status === 'pending') return <p className={classes.muted}>{t('gate.waitingBefore')}</p>
  const name = node.decided_by
  return (
    <>
      {name && node.status === 'success' ? <p>{t('gate.approvedBy', { name })}</p> : null}
      {name && node.status === 'failed' ? <p>{t('gate.rejectedBy', { name })}</p> : null}
      {name ? (
        <p className={classes.muted}>
          <RelativeTime at={node.completed_at} />
        </p>
      ) : null}
      {node.note ? <blockquote className={classes.note}>{node.note}</blockquote> : null}
      {name ? null : (
        <p className={classes.muted}>{isReused(node) ? t('gate.reused') : (reason ?? translateError(node))}</p>
      )}
    </>
  )
}

/** A gate: what it asks, who decided and why, what waits behind it. */
export function GatePane({ node, nodes, onChoose }: GatePaneProps) {
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
          <p className={classes.muted}>
            {t('gate.since')} <AbsoluteTime at={node.started_at} /> (<Duration since={node.started_at} />
            ). {t('gate.who')}
          </p>
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
