import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { numberText } from '../../ui/format.ts'
import { NodeBadge } from './JobRunBadge.tsx'
import classes from './JobRunPage.module.css'
import { asksInBanner } from './banner.rules.ts'
import { useReason } from './NotRunPane.tsx'
import { jsonValue } from './json-field.ts'
import { isReused } from './node-status.ts'
import { useItemNames } from './use-node-run.ts'
import { dependents } from './rerun-choice.ts'
import { translateError } from '../../i18n/translate.ts'

interface GatePaneProps {
  jobRun: JobRun
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

/** Whether there is a value anywhere in a task's outputs; a `for_each` lists those of all its items. */
function hasOutputs({ outputs }: JobRunNode): boolean {
  const value = jsonValue(outputs)
  const each: readonly unknown[] = Array.isArray(value) ? value : [value]
  return each.some((one) => Object.keys(one ?? {}).length > 0)
}

function KeyButton({ id, onChoose }: { id: string; onChoose(key: string): void }) {
  return (
    <button type="button" className={classes.keyButton} onClick={() => onChoose(id)}>
      {id}
    </button>
  )
}

/** What a task before the gate came to: its rows and its outputs are what the decision is about. */
function Upstream({ jobRun, node, onChoose }: Pick<GatePaneProps, 'jobRun' | 'node' | 'onChoose'>) {
  const { t } = useTranslation('jobRuns')
  const items = useItemNames(jobRun.id, node)
  const counts = [
    ...(node.item_count === null
      ? []
      : [t('gate.rows', { count: node.item_count, formatted: numberText(node.item_count) })]),
    ...(node.reject_count
      ? [t('gate.rejects', { count: node.reject_count, formatted: numberText(node.reject_count) })]
      : []),
  ]
  return (
    <li>
      <div className={classes.upstream}>
        <KeyButton id={node.key} onChoose={onChoose} />
        <NodeBadge node={node} />
        <span>{counts.join(', ')}</span>
      </div>
      {hasOutputs(node) ? <JsonView json={node.outputs} names={items} /> : null}
    </li>
  )
}

/** A gate: what it asks, who decided and why, what came before it, and what waits behind it. */
export function GatePane({ jobRun, node, nodes, onChoose }: GatePaneProps) {
  const { t } = useTranslation('jobRuns')
  const before = nodes.filter(({ key }) => node.depends_on.includes(key))
  const next = dependents(node.key, nodes)
  const inBanner = node.status === 'paused' && asksInBanner(jobRun)
  return (
    <>
      <div className={classes.nodeHead}>
        <IconHandStop size={15} aria-hidden />
        <h2 className={classes.nodeKey}>{node.key}</h2>
        {/* While it waits, the line below says so, and since when. */}
        {node.status === 'paused' ? null : <NodeBadge node={node} />}
      </div>
      <div className={classes.gate}>
        {inBanner ? null : (
          <>
            <div className={classes.muted}>{t('gate.asks')}</div>
            <p className={classes.question}>{node.message}</p>
          </>
        )}
        {node.status === 'paused' ? (
          <p className={classes.muted}>
            {t('gate.since')} <AbsoluteTime at={node.started_at} />. {t('gate.who')}
          </p>
        ) : (
          <Decided node={node} />
        )}
        {before.length > 0 ? (
          <>
            <h3 className={classes.gateHeading}>{t('gate.upstream')}</h3>
            <ul className={classes.upstreams}>
              {before.map((one) => (
                <Upstream key={one.key} jobRun={jobRun} node={one} onChoose={onChoose} />
              ))}
            </ul>
          </>
        ) : null}
        <h3 className={classes.gateHeading}>{t('gate.downstream')}</h3>
        {next.length === 0 ? <p className={classes.muted}>{t('gate.noDownstream')}</p> : null}
        <div className={classes.keys}>
          {next.map((key) => (
            <KeyButton key={key} id={key} onChoose={onChoose} />
          ))}
        </div>
      </div>
    </>
  )
}
