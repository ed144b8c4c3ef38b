import type { TextFinding } from '../../ui/code/editor-knowledge.ts'
import { translateMessage } from '../../i18n/translate.ts'
import type { GraphNode } from '../../ui/graph/graph.types.ts'

/** What the graph needs of a task or gate: as the language reads it, or as the server does. */
export interface TemplateNode {
  key: string
  kind: 'task' | 'gate'
  depends_on: readonly string[]
  task: string | null
  version: number | null
  for_each: boolean
  message: string | null
  line: number
  end_line: number
}

/** The task or gate whose lines hold a line. */
export const nodeAt = <T extends TemplateNode>(nodes: readonly T[], line: number): T | undefined =>
  nodes.findLast((node) => node.line <= line && line <= node.end_line)

/** Worst finding first; an error anywhere in a node marks it. */
function problemOf(node: TemplateNode, findings: readonly TextFinding[]): GraphNode['problem'] {
  const inside = findings.filter((one) => one.severity !== 'info' && node.line <= one.line && one.line <= node.end_line)
  const found = inside.find((one) => one.severity === 'error') ?? inside[0]
  if (!found) return undefined
  // Marks of Markdown are for the text's own pane.
  return {
    severity: found.severity === 'error' ? 'error' : 'warning',
    message: translateMessage(found).replaceAll('`', ''),
  }
}

const expression = /\$\{\{(.*?)\}\}/gs
/** What an expression is about: `routes` of `tasks.airports.outputs.routes`, the task of a count of rows. */
const lastName = (inner: string) => /[A-Za-z_]\w*(?=\W*$)/.exec(inner.replaceAll('.item_count', ''))?.[0] ?? '…'

/** The second line of a gate: its question, in which expressions have room for their last name; what it is where it asks nothing. */
export function gateLine(message: string | null, approval: string): Pick<GraphNode, 'sublabel' | 'inFull'> {
  const inFull = message?.trim()
  return inFull
    ? { sublabel: inFull.replaceAll(expression, (_, inner: string) => `{${lastName(inner)}}`), inFull }
    : { sublabel: approval }
}

/** Nodes of the text as the graph shows them. */
export function graphNodes(
  nodes: readonly TemplateNode[],
  findings: readonly TextFinding[],
  words: { each: string; approval: string },
): GraphNode[] {
  return nodes.map((node) => {
    const badges = [...(node.for_each ? [words.each] : []), ...(node.version === null ? [] : [`v${node.version}`])]
    const second = node.kind === 'gate' ? gateLine(node.message, words.approval) : node.task && { sublabel: node.task }
    const problem = problemOf(node, findings)
    return {
      id: node.key,
      label: node.key,
      kind: node.kind,
      dependsOn: node.depends_on,
      ...second,
      ...(badges.length > 0 ? { badge: badges.join(' ') } : {}),
      ...(problem ? { problem } : {}),
    }
  })
}
