import { useEffect, useMemo, useRef, useState } from 'react'
import { type GraphDirection, type GraphLayout, type GraphNode, type LayoutRequest } from './graph.types.ts'
import { layoutInWorker } from './layout-client.ts'
import { sizesOf } from './node-size.ts'

/** What the layout depends on: names, edges, and sizes; not statuses. */
export function requestOf(nodes: readonly GraphNode[], direction: GraphDirection): LayoutRequest {
  const own = [...new Map(nodes.map((node) => [node.id, node])).values()]
  const ids = own.map((node) => node.id)
  const at = new Map(ids.map((id, index) => [id, index]))
  const edges = new Map<string, [number, number]>()
  for (const node of nodes) {
    const to = at.get(node.id)
    for (const dependency of node.dependsOn) {
      const from = at.get(dependency)
      if (from !== undefined && to !== undefined) edges.set(`${from} ${to}`, [from, to])
    }
  }
  return { direction, ...sizesOf(own), ids, edges: [...edges.values()] }
}

const kept = new Map<string, GraphLayout>()
const mostKept = 12
function keep(key: string, layout: GraphLayout): void {
  kept.delete(key)
  kept.set(key, layout)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

export interface LayoutState {
  /** The newest layout there is; while a newer one is on its way, the one before. */
  layout: GraphLayout | null
  error: string | null
}

/** The layout of a graph. Only one request is under way at a time: of what is typed meanwhile only the last counts. */
export function useLayout(nodes: readonly GraphNode[], direction: GraphDirection): LayoutState {
  const key = useMemo(() => JSON.stringify(requestOf(nodes, direction)), [nodes, direction])
  const [state, setState] = useState<LayoutState>(() => ({ layout: kept.get(key) ?? null, error: null }))
  const wanted = useRef(key)
  const busy = useRef(false)
  const mounted = useRef(true)

  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  useEffect(() => {
    wanted.current = key
    const next = async () => {
      if (busy.current) return
      busy.current = true
      let done = ''
      while (mounted.current && done !== wanted.current) {
        const asked = wanted.current
        try {
          const layout = kept.get(asked) ?? (await layoutInWorker(JSON.parse(asked) as LayoutRequest))
          keep(asked, layout)
          if (mounted.current) setState({ layout, error: null })
        } catch (cause) {
          if (mounted.current) setState((now) => ({ ...now, error: cause instanceof Error ? cause.message : '' }))
        }
        done = asked
      }
      busy.current = false
    }
    void next()
  }, [key])
  return state
}
