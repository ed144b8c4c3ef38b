import { useStore } from '@xyflow/react'
import { memo, useMemo } from 'react'
import classes from './Graph.module.css'
import { edgePaths } from './edge-paths.ts'
import type { GraphLayout } from './graph.types.ts'
import { grownBy, grownStyle } from './grown.ts'

interface GraphEdgesProps {
  layout: GraphLayout
  selected: string | null
}

/** All edges in a handful of paths: a thousand elements of their own would cost more than all the nodes in view. */
export const GraphEdges = memo(function GraphEdges({ layout, selected }: GraphEdgesProps) {
  const grown = useStore((state) => grownBy(state.transform[2]))
  const paths = useMemo(() => edgePaths(layout), [layout])
  const drawn = useMemo(() => {
    const near = paths.filter((path) => path.from === selected || path.to === selected)
    return [
      { name: 'all', of: paths },
      { name: 'near', of: near },
    ].map(({ name, of }) => ({
      name,
      lines: of.map((path) => path.line).join(''),
      heads: of.map((path) => path.head).join(''),
    }))
  }, [paths, selected])
  return (
    <svg className={classes.edges} style={grownStyle(grown)} width={1} height={1} aria-hidden focusable={false}>
      {drawn.map(({ name, lines, heads }) => (
        <g key={name} data-edges={name}>
          <path className={classes.line} d={lines} />
          <path className={classes.head} d={heads} />
        </g>
      ))}
    </svg>
  )
})
