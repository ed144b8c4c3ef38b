import { MiniMap, useNodesData } from '@xyflow/react'
import { useTranslation } from 'react-i18next'
import classes from './Graph.module.css'
import type { FlowNode } from './flow-node.ts'
import { mapBlocks } from './map-blocks.ts'

const mapSize = { width: 168, height: 112 }

function Blocks({ id }: { id: string }) {
  const data = useNodesData<FlowNode>(id)?.data
  if (!data) return null
  return mapBlocks(data.nodes, data.layout).map(({ color, path }) => <path key={color} d={path} fill={color} />)
}

/** Where in a graph that is larger than its pane one is. */
export function GraphMap() {
  const { t } = useTranslation('graph')
  return (
    <MiniMap<FlowNode>
      position="bottom-left"
      nodeComponent={Blocks}
      pannable
      zoomable
      ariaLabel={t('map')}
      className={classes.map}
      style={mapSize}
    />
  )
}
