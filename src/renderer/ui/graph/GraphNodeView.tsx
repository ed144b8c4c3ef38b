import type { NodeProps } from '@xyflow/react'
import { IconAlertTriangle, IconCircleX, IconFileCode, IconHandStop } from '@tabler/icons-react'
import { memo, use } from 'react'
import { useTranslation } from 'react-i18next'
import { type Status, statusLooks } from '../status.ts'
import classes from './Graph.module.css'
import type { GraphNode } from './graph.types.ts'
import { FarContext, usePicked } from './picks.ts'
import { type FlowNode, sameNode } from './use-flow-nodes.ts'

function Mark({ node }: { node: GraphNode }) {
  if (node.problem) {
    const Icon = node.problem.severity === 'error' ? IconCircleX : IconAlertTriangle
    return <Icon size={16} stroke={1.9} aria-hidden />
  }
  if (node.status) {
    const { icon: Icon, spins } = statusLooks[node.status]
    return <Icon size={16} stroke={1.9} aria-hidden className={spins ? classes.spin : undefined} />
  }
  const Icon = node.kind === 'gate' ? IconHandStop : IconFileCode
  return <Icon size={16} stroke={1.6} aria-hidden />
}

const toneOf = (node: GraphNode, status: Status | undefined) =>
  node.problem
    ? node.problem.severity === 'error'
      ? 'failed'
      : 'warning'
    : status
      ? statusLooks[status].tone
      : undefined

/** Key and badge above, status and what it is below. */
function Words({ node, status }: { node: GraphNode; status: string | null }) {
  return (
    <>
      <span className={classes.mark}>
        <Mark node={node} />
      </span>
      <span className={classes.words}>
        <span className={classes.first}>
          <span className={classes.label}>{node.label}</span>
          {node.badge ? <span className={classes.badge}>{node.badge}</span> : null}
        </span>
        {node.problem || status || node.sublabel ? (
          <span className={classes.second}>
            {node.problem ? (
              <b>{node.problem.message}</b>
            ) : (
              <>
                {status ? <b>{status}</b> : null}
                {status && node.sublabel ? ' · ' : null}
                {node.sublabel}
              </>
            )}
          </span>
        ) : null}
      </span>
    </>
  )
}

/** One task or gate; from afar a block of colour. */
function NodeView({ data }: NodeProps<FlowNode>) {
  const { t } = useTranslation('graph')
  const { t: word } = useTranslation()
  const { node } = data
  const { selected, active, domId } = usePicked(node.id)
  // Hundreds are in sight then, and come into it with one turn of the wheel: none has more in it than is seen.
  const far = use(FarContext)
  const status = node.status ? word(`status.${node.status}`) : null
  const kind = node.kind === 'gate' ? t('gate') : t('task')
  const second = [node.problem?.message ?? status, node.sublabel].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      id={domId}
      className={classes.node}
      // The graph is one stop of Tab; arrow keys move inside it.
      tabIndex={-1}
      aria-pressed={selected}
      aria-label={far ? `${kind} ${node.label} ${second}` : undefined}
      title={[node.label, node.badge, second].filter(Boolean).join('\n')}
      data-node={node.id}
      data-kind={node.kind}
      data-tone={toneOf(node, node.status)}
      data-status={node.status}
      data-selected={selected || undefined}
      data-active={active || undefined}
      data-dimmed={node.dimmed || undefined}
    >
      {far ? null : (
        <>
          <span className={classes.spoken}>{`${kind} `}</span>
          <Words node={node} status={status} />
        </>
      )}
    </button>
  )
}

export const GraphNodeView = memo(NodeView, (before, after) => sameNode(before.data.node, after.data.node))
