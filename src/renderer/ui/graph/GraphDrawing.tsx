import { useStore } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { createPortal } from 'react-dom'

/** What moves with the view. */
export function GraphDrawing({ children }: { children: ReactNode }) {
  // The library's own portal looks for its place at every step of the wheel.
  const flow = useStore((state) => state.domNode)
  const place = useMemo(() => flow?.querySelector('.react-flow__viewport-portal') ?? null, [flow])
  return place ? createPortal(children, place) : null
}
