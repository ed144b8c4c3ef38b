import '@xyflow/react/dist/base.css'
import { Background, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react'
import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wantsMotion } from '../looks.ts'
import classes from './Graph.module.css'
import { GraphControls } from './GraphControls.tsx'
import { GraphDrawing } from './GraphDrawing.tsx'
import { GraphEdges } from './GraphEdges.tsx'
import { GraphMap } from './GraphMap.tsx'
import { GraphNodes } from './GraphNodes.tsx'
import { type FlowNode, flowNodeTypes, useFlowNodes } from './flow-node.ts'
import { type GraphDirection, type GraphLayout, type GraphNode } from './graph.types.ts'
import { nextNode } from './graph-keys.ts'
import { wordsFrom } from './grown.ts'
import { isDrawn } from './in-view.ts'
import { sizeAt } from './node-size.ts'
import { fitsReadably, openingNode, readable, viewAround, viewOfAll } from './view-around.ts'
import { useLayout } from './use-layout.ts'

export interface GraphProps {
  nodes: readonly GraphNode[]
  selected: string | null
  onSelect(id: string): void
  /** Spoken name; by default what it is and how it is used. */
  label?: string
  /** Remembers under this name which way the graph points. */
  id: string
  /** What is chosen is told of in a pane that opens beside the graph, of which a part stays as large as it was. */
  keepsZoom?: boolean
  /** Which way it points until somebody turns it: to the right in wide panes, down in square ones. */
  direction?: GraphDirection
}

const noEdges: never[] = []
const mapFrom = 60
/** In a lower pane the map would hide more than it shows. */
const mapHeight = 320
const slow = 180
/** A fan-out of hundreds is wide; all of it can be shown all the same. */
const leastZoom = 0.005

const pace = () => (wantsMotion() ? slow : 0)

interface Pane {
  width: number
  height: number
}

/** Brings a node into view when it was chosen elsewhere, and what can be read of the graph when it is first there. */
function useView(layout: GraphLayout | null, nodes: readonly GraphNode[], selected: string | null, keepsZoom: boolean) {
  const flow = useReactFlow<FlowNode>()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  /** Until somebody moves it, the view follows the size of its pane. */
  const moved = useRef(false)
  /** All of it was asked for, however small. */
  const whole = useRef(false)
  const fit = useCallback(
    (duration: number) => {
      moved.current = false
      whole.current = true
      if (layout) void flow.setViewport(viewOfAll(layout, width, height, leastZoom), { duration })
    },
    [flow, layout, width, height],
  )
  const isInside = useCallback(
    (id: string, pane: Pane) => {
      const place = layout?.nodes[layout.ids.indexOf(id)]
      if (!place) return false
      const { x, y, zoom } = flow.getViewport()
      const left = place.x * zoom + x
      const top = place.y * zoom + y
      const size = sizeAt(layout, layout.ids.indexOf(id))
      return left >= 0 && top >= 0 && left + size.width * zoom <= pane.width && top + size.height * zoom <= pane.height
    },
    [flow, layout],
  )
  const show = useCallback(
    (id: string) => {
      const place = layout?.nodes[layout.ids.indexOf(id)]
      if (!place || isInside(id, { width, height })) return
      moved.current = true
      const size = sizeAt(layout, layout.ids.indexOf(id))
      void flow.setCenter(place.x + size.width / 2, place.y + size.height / 2, {
        zoom: Math.max(flow.getViewport().zoom, readable),
        duration: pace(),
      })
    },
    [flow, layout, width, height, isInside],
  )
  const first = useRef(true)
  const seenIn = useRef<Pane>({ width: 0, height: 0 })
  /** Where a part is shown, what comes or goes in the graph doesn’t move it. */
  const isPart = useRef(false)
  const now = useRef({ nodes, selected })
  useEffect(() => {
    now.current = { nodes, selected }
  })
  useEffect(() => {
    if (!layout || layout.ids.length === 0 || width === 0 || height === 0) return
    const before = seenIn.current
    const chosen = now.current.selected
    seenIn.current = { width, height }
    if (moved.current) {
      // A pane that opens beside the graph doesn’t push out of sight what it tells of.
      if (chosen !== null && isInside(chosen, before)) show(chosen)
      return
    }
    const wasPart = isPart.current
    const zoom = first.current ? readable : flow.getViewport().zoom
    const kept = keepsZoom && chosen !== null ? zoom : undefined
    isPart.current = !whole.current && !fitsReadably(layout, width, height, kept)
    if (!isPart.current) {
      void flow.setViewport(viewOfAll(layout, width, height, leastZoom), { duration: first.current ? 0 : pace() })
    } else if (!wasPart || before.width !== width || before.height !== height) {
      // What was chosen since is what is looked at.
      const at = openingNode(layout, now.current.nodes, chosen)
      if (at) void flow.setViewport(viewAround(at, layout, width, height, kept === undefined ? undefined : [kept]))
    }
    first.current = false
  }, [flow, layout, width, height, isInside, show, keepsZoom])
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  const sized = width > 0 && height > 0
  useEffect(() => {
    if (selected !== null && sized) latest.current(selected)
  }, [selected, sized])
  return {
    fit,
    show,
    /** As when it was first there: the graph points the other way. */
    reopen: () => {
      moved.current = whole.current = isPart.current = false
    },
    onMoved: () => (moved.current = true),
  }
}

/** Sides at which the graph goes on beyond its pane are faded. */
function Fades({ layout }: { layout: GraphLayout }) {
  const sides = useStore(({ transform: [x, y, zoom], width, height }) => {
    const beyond = {
      left: x < -1,
      top: y < -1,
      right: x + layout.width * zoom > width + 1,
      bottom: y + layout.height * zoom > height + 1,
    }
    return Object.entries(beyond)
      .filter(([, is]) => is)
      .map(([side]) => side)
      .join(' ')
  })
  return <div className={classes.fades} data-beyond={sides} aria-hidden />
}

function GraphView(props: GraphProps) {
  const { nodes, selected, onSelect, label, id, keepsZoom = false, direction: initial = 'right' } = props
  const { t } = useTranslation('graph')
  const [direction, setDirection] = useLocalStorage<GraphDirection>({
    key: `headgate.graph.${id}.direction`,
    defaultValue: initial,
    getInitialValueInEffect: false,
  })
  // It lies over nodes: those who want it there say so.
  const [withMap, setWithMap] = useLocalStorage({
    key: 'headgate.graph.map',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { layout, error } = useLayout(nodes, direction)
  const prefix = useId()
  const [active, setActive] = useState<string | null>(selected)
  useEffect(() => setActive(selected), [selected])
  const [focused, setFocused] = useState(false)
  const flowNodes = useFlowNodes(nodes, layout)
  const view = useView(layout, nodes, selected, keepsZoom)
  const flow = useReactFlow<FlowNode>()
  const roomy = useStore((state) => state.height >= mapHeight)
  const far = useStore((state) => state.transform[2] < wordsFrom)
  const partly = useStore(({ transform: [x, y, zoom], width, height }) =>
    layout ? x < 0 || y < 0 || x + layout.width * zoom > width || y + layout.height * zoom > height : false,
  )
  const hasMap = partly && roomy && nodes.length > mapFrom
  const reached = layout && active !== null && isDrawn(active, nodes, layout) ? active : null

  const onKeyDown = (event: KeyboardEvent) => {
    if (!layout || event.ctrlKey || event.metaKey || event.altKey) return
    const actions: Readonly<Record<string, () => void>> = {
      Enter: () => reached !== null && onSelect(reached),
      ' ': () => reached !== null && onSelect(reached),
      '+': () => void flow.zoomIn(),
      '-': () => void flow.zoomOut(),
      '0': () => view.fit(pace()),
    }
    const next = nextNode(layout, active, event.key)
    if (next !== null) {
      setActive(next)
      view.show(next)
    } else if (actions[event.key]) actions[event.key]?.()
    else if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    event.stopPropagation()
  }
  const latest = useRef(onSelect)
  useEffect(() => {
    latest.current = onSelect
  })
  const choose = useCallback((id: string) => {
    setActive(id)
    latest.current(id)
  }, [])
  const domId = useCallback((id: string) => `${prefix}${id}`, [prefix])
  const direct = (next: GraphDirection) => {
    setDirection(next)
    view.reopen()
  }
  const spoken = label ?? t('label', { count: nodes.length })
  return (
    <div className={classes.frame}>
      <ReactFlow<FlowNode>
        className={classes.graph}
        data-far={far || undefined}
        data-laid-out={layout !== null || undefined}
        nodes={flowNodes}
        edges={noEdges}
        nodeTypes={flowNodeTypes}
        // A press that moves nothing, as on a node, is none.
        onMove={(event) => event && view.onMoved()}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomOnDoubleClick={false}
        minZoom={leastZoom}
        maxZoom={1.6}
        proOptions={{ hideAttribution: true }}
        tabIndex={0}
        aria-label={spoken}
        aria-activedescendant={reached !== null && focused ? domId(reached) : undefined}
        onKeyDown={onKeyDown}
        onFocus={({ target, currentTarget }) => {
          // A node that was clicked may go out of sight or be gone; the keys stay with the graph.
          const clicked = target.dataset['node']
          if (clicked !== undefined) currentTarget.focus({ preventScroll: true })
          setFocused(true)
          setActive((now) => clicked ?? now ?? nodes[0]?.id ?? null)
        }}
        onBlur={() => setFocused(false)}
      >
        <Background gap={20} size={1} color="var(--hg-line)" />
        {layout ? (
          <GraphDrawing>
            <GraphEdges layout={layout} selected={selected} />
            <GraphNodes
              nodes={nodes}
              layout={layout}
              selected={selected}
              active={focused ? reached : null}
              far={far}
              onChoose={choose}
              domId={domId}
            />
          </GraphDrawing>
        ) : null}
        {layout ? <Fades layout={layout} /> : null}
        {hasMap && withMap ? <GraphMap /> : null}
        {layout === null && error === null && nodes.length > 0 ? (
          <p className={classes.waiting} role="status">
            {t('waiting')}
          </p>
        ) : null}
        {error === null ? null : (
          <p className={classes.error} role="alert">
            {t('failed')} {error}
          </p>
        )}
      </ReactFlow>
      <GraphControls
        direction={direction}
        onDirection={direct}
        onFit={() => view.fit(pace())}
        map={hasMap ? withMap : null}
        onMap={setWithMap}
      />
    </div>
  )
}

/** A directed graph of tasks and gates: pan, zoom, choose; by mouse or by keys. */
export function Graph(props: GraphProps) {
  return (
    <ReactFlowProvider>
      <GraphView {...props} />
    </ReactFlowProvider>
  )
}
