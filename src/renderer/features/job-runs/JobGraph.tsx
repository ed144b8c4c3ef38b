import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import { Graph } from '../../ui/graph/Graph.tsx'
import type { GraphNode } from '../../ui/graph/graph.types.ts'
import { durationText } from '../../ui/time.ts'
import { useNodeWord } from './JobRunBadge.tsx'
import { isReused, nodeLook } from './node-status.ts'
import { numberText } from '../../ui/format.ts'

function sublabelOf(node: JobRunNode, t: TFunction<'jobRuns'>): string | undefined {
  if (isReused(node)) return t('nodeStatus.reused')
  // Before it waits, its question is not filled in yet; once it is open, the question concerns nobody any more.
  if (node.kind === 'gate' && node.status === 'paused') return node.message ?? undefined
  // A node has room for its status and one thing more; the name of its task stands in the pane below.
  if (node.duration_ms !== null) return durationText(node.duration_ms)
  return node.task_name === node.key ? undefined : (node.task_name ?? undefined)
}

const badgeOf = (node: JobRunNode) =>
  node.for_each && node.item_total !== null ? `× ${numberText(node.item_total)}` : undefined

function graphNode(node: JobRunNode, t: TFunction<'jobRuns'>, word: (node: JobRunNode) => string): GraphNode {
  const sublabel = sublabelOf(node, t)
  const badge = badgeOf(node)
  return {
    id: node.key,
    label: node.key,
    kind: node.kind,
    status: nodeLook(node.status),
    statusWord: word(node),
    dependsOn: node.depends_on,
    brief: isReused(node),
    idle: node.reason === 'not_selected' || isReused(node),
    ...(sublabel ? { sublabel } : {}),
    ...(badge ? { badge } : {}),
  }
}

export interface JobGraphProps {
  nodes: readonly JobRunNode[]
  selected: string | null
  onSelect(key: string): void
}

/** The tasks of a job run as a graph, each in the colour of its state. */
export default function JobGraph({ nodes, selected, onSelect }: JobGraphProps) {
  const { t, i18n } = useTranslation('jobRuns')
  const { language } = i18n
  const word = useNodeWord()
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- durations and counts are written as the language does
  const shown = useMemo(() => nodes.map((node) => graphNode(node, t, word)), [nodes, language])
  return <Graph id="job-run" nodes={shown} selected={selected} onSelect={onSelect} label={t('graph.label')} />
}
