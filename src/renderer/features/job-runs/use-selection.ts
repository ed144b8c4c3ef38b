import { useCallback, useState } from 'react'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import { useAddress } from '../../ui/use-address.ts'
import { landingOf, waitingGate } from './landing.ts'

export const tabs = ['log', 'steps', 'rejects', 'outputs', 'runs', 'details'] as const
export type Tab = (typeof tabs)[number]

/** The one selection of the page, as the address has it: it drives tree, graph and panes. */
export interface Selection {
  node: JobRunNode | null
  /** Index of the chosen item of a `for_each`; null: the task as a whole. */
  item: number | null
  tab: Tab
  /** Index of the chosen step of the shown run. */
  step: number | null
  choose(key: string, item?: number | null): void
  setTab(tab: Tab): void
  setStep(step: number | null): void
}

const whole = (text: string | null) => (text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null)

/** The pane of the chosen task. */
export function useTab(): { tab: Tab; setTab(tab: Tab): void } {
  const [search, set] = useAddress()
  return {
    tab: tabs.find((tab) => tab === search.get('tab')) ?? 'log',
    setTab: (tab) => set({ tab: tab === 'log' ? null : tab }),
  }
}

export function useSelection(nodes: readonly JobRunNode[]): Selection {
  const [search, set] = useAddress()
  const shown = useTab()
  // Decided once: while the job run goes on, the page jumps by itself only to a gate that begins to wait.
  const [landing, land] = useState(() => landingOf(nodes))
  const gate = waitingGate(nodes)
  const [seen, see] = useState(gate)
  if (gate !== seen) {
    see(gate)
    if (gate !== null) land(gate)
  }
  const asked = search.get('task')
  const byKey = (key: string | null) => nodes.find((node) => node.key === key)
  const node = byKey(asked) ?? byKey(landing) ?? nodes[0] ?? null
  const item = node?.for_each ? whole(search.get('item')) : null
  const choose = useCallback(
    (key: string, index: number | null = null) =>
      // Line and step belong to the log that was shown until now.
      set({ task: key, item: index === null ? null : String(index), line: null, step: null }),
    [set],
  )
  return {
    node,
    item,
    ...shown,
    step: whole(search.get('step')),
    choose,
    setStep: (step) => set({ step: step === null ? null : String(step) }),
  }
}
