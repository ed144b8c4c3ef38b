import {
  IconAlertTriangle,
  IconApi,
  IconBraces,
  IconCircleX,
  IconFile,
  IconFileCode,
  IconHandStop,
  IconListDetails,
  IconSql,
  IconTable,
  type TablerIcon,
} from '@tabler/icons-react'
import { memo } from 'react'
import { statusLooks } from '../status.ts'
import { useAged } from '../ticker.ts'
import { Cut } from '../Cut.tsx'
import classes from './Graph.module.css'
import { type GraphNode, type GraphNodeKind, type NodeSize, nodeSize } from './graph.types.ts'
import { grownStyle } from './grown.ts'

const kindIcons: Readonly<Record<GraphNodeKind, TablerIcon>> = {
  task: IconFileCode,
  gate: IconHandStop,
  table: IconTable,
  file: IconFile,
  collection: IconBraces,
  entity_set: IconListDetails,
  path: IconApi,
  query: IconSql,
}

function Mark({ node }: { node: GraphNode }) {
  if (node.problem) {
    const Icon = node.problem.severity === 'error' ? IconCircleX : IconAlertTriangle
    return <Icon size={16} stroke={1.9} aria-hidden />
  }
  if (node.status) {
    const { icon: Icon, spins } = statusLooks[node.status]
    return <Icon size={16} stroke={1.9} aria-hidden className={spins ? classes.spin : undefined} />
  }
  const Icon = kindIcons[node.kind]
  return <Icon size={16} stroke={1.6} aria-hidden />
}

const isData = (kind: GraphNodeKind) => kind !== 'task' && kind !== 'gate'

const toneOf = (node: GraphNode) =>
  node.problem
    ? node.problem.severity === 'error'
      ? 'failed'
      : 'warning'
    : node.status
      ? statusLooks[node.status].tone
      : undefined

/** Key and badge above, status and what it is below. */
function Words({ node, status, sublabel }: { node: GraphNode; status: string | null; sublabel: string | undefined }) {
  return (
    <>
      <span className={classes.mark}>
        <Mark node={node} />
      </span>
      <span className={classes.words}>
        <span className={classes.first}>
          <span className={classes.label}>
            <Cut text={node.label} />
          </span>
          {node.badge ? <span className={classes.badge}>{node.badge}</span> : null}
        </span>
        {node.problem || status || sublabel ? (
          <span className={classes.second}>
            {node.problem ? (
              <b>{node.problem.message}</b>
            ) : (
              <>
                {status && !node.brief ? <b>{status}</b> : null}
                {sublabel ? (
                  <span>
                    {status && !node.brief ? '· ' : null}
                    {sublabel}
                  </span>
                ) : null}
              </>
            )}
          </span>
        ) : null}
      </span>
    </>
  )
}

interface GraphNodeViewProps {
  node: GraphNode
  x: number
  y: number
  size: NodeSize
  domId: string
  /** Its kind and its status, in words. */
  kind: string
  status: string | null
  far: boolean
  selected: boolean
  /** How much wider what has to be seen from afar is drawn. */
  grown: number
  active: boolean
  onChoose(id: string): void
}

/** One task or gate; from afar a block of colour: hundreds are in sight then, and none has more in it than is seen. */
function NodeView({
  node,
  x,
  y,
  size,
  domId,
  kind,
  status,
  far,
  selected,
  grown,
  active,
  onChoose,
}: GraphNodeViewProps) {
  const sublabel = useAged(node.sublabel)
  const second = [node.problem?.message ?? status, node.inFull ?? sublabel].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      id={domId}
      className={classes.node}
      style={{ left: x, top: y, ...size, ...((selected || active) && grownStyle(grown)) }}
      // The graph is one stop of Tab; arrow keys move inside it.
      tabIndex={-1}
      aria-pressed={selected}
      aria-label={far ? `${kind} ${node.label} ${second}` : undefined}
      title={[node.label, node.badge, second].filter(Boolean).join('\n')}
      data-node={node.id}
      data-kind={node.kind}
      data-data={isData(node.kind) || undefined}
      data-tone={toneOf(node)}
      data-selected={selected || undefined}
      data-active={active || undefined}
      data-tall={size.height > nodeSize.height || undefined}
      data-dimmed={node.dimmed || undefined}
      data-idle={node.idle || undefined}
      onClick={() => onChoose(node.id)}
    >
      {far ? null : (
        <>
          <span className={classes.spoken}>{`${kind} `}</span>
          <Words node={node} status={status} sublabel={sublabel} />
        </>
      )}
    </button>
  )
}

/** Whether two say the same. */
const sameNode = (a: GraphNode, b: GraphNode) =>
  a === b ||
  (a.id === b.id &&
    a.label === b.label &&
    a.sublabel === b.sublabel &&
    a.inFull === b.inFull &&
    a.kind === b.kind &&
    a.status === b.status &&
    a.statusWord === b.statusWord &&
    a.brief === b.brief &&
    a.badge === b.badge &&
    a.dimmed === b.dimmed &&
    a.idle === b.idle &&
    a.problem?.severity === b.problem?.severity &&
    a.problem?.message === b.problem?.message)

export const GraphNodeView = memo(NodeView, (before, after) =>
  (Object.keys(after) as (keyof GraphNodeViewProps)[]).every((prop) =>
    prop === 'node' ? sameNode(before.node, after.node) : before[prop] === after[prop],
  ),
)
