import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, type GraphNode } from '../../../src/language/job/job-graph.ts'
import { parseJob } from '../../../src/language/job/parse-job.ts'

/** Nodes in any order of the text, each depending on some of those before it in an order of their own: never a cycle. */
const dags = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc.record({
      edges: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 30 }),
      order: fc.shuffledSubarray(
        Array.from({ length: count }, (_, index) => index),
        { minLength: count, maxLength: count },
      ),
    }),
  )
  .map(({ edges, order }) =>
    order.map((index): GraphNode => {
      const before = edges.flatMap(([a, b]) => (Math.max(a, b) === index && a !== b ? [`t${Math.min(a, b)}`] : []))
      return { key: `t${index}`, depends_on: [...new Set(before)] }
    }),
  )

const yamlOf = (nodes: readonly GraphNode[]): string =>
  `etl: 1\nkind: job\nname: x\ntasks:\n${nodes.map(({ key, depends_on }) => `  ${key}: {task: noop, depends_on: [${depends_on.join(', ')}]}\n`).join('')}`

function upstreamByWalking(nodes: readonly GraphNode[], key: string): Set<string> {
  const found = new Set<string>()
  const visit = (one: string): void => {
    for (const next of nodes.find((node) => node.key === one)?.depends_on ?? []) {
      if (found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(key)
  return found
}

describe('the graph of a job template', () => {
  it('is that of the text, and knows what is upstream', () => {
    fc.assert(
      fc.property(dags, (dag) => {
        const { job, nodes, diagnostics } = parseJob(yamlOf(dag))
        expect(diagnostics).toEqual([])
        expect(nodes.map(({ key, depends_on }) => ({ key, depends_on }))).toEqual(dag)
        expect(Object.values(job?.tasks ?? {}).map(({ key, depends_on }) => ({ key, depends_on }))).toEqual(dag)
        const graph = buildGraph(dag)
        for (const { key } of dag) expect(new Set(graph.upstream(key))).toEqual(upstreamByWalking(dag, key))
      }),
      { numRuns: 200 },
    )
  })

  it('names a whole cycle wherever an edge closes one, at an edge that is part of it', () => {
    const closed = fc.tuple(dags, fc.nat(), fc.nat()).map(([dag, from, to]) => {
      const up = dag[from % dag.length]
      const down = [...(up ? upstreamByWalking(dag, up.key) : [])]
      const target = down[to % Math.max(1, down.length)]
      return { dag, closing: up && target !== undefined ? { key: target, on: up.key } : null }
    })
    let cycles = 0
    fc.assert(
      fc.property(closed, ({ dag, closing }) => {
        if (!closing) return
        cycles++
        const nodes = dag.map((node) =>
          node.key === closing.key ? { ...node, depends_on: [...node.depends_on, closing.on] } : node,
        )
        const text = yamlOf(nodes)
        const { job, diagnostics } = parseJob(text)
        expect(job).toBeNull()
        expect(diagnostics.map(({ code }) => code)).toEqual(['dependency_cycle'])
        const [found] = diagnostics
        const named = [...(found?.message.matchAll(/`(\w+)`/g) ?? [])].map(([, key]) => key ?? '')
        expect(named[0]).toBe(named.at(-1))
        for (const [index, key] of named.slice(0, -1).entries())
          expect(nodes.find((node) => node.key === key)?.depends_on).toContain(named[index + 1])
        const line = text.split('\n')[(found?.line ?? 0) - 1]
        expect(line).toMatch(new RegExp(`^  ${named[0]}:`))
        expect(line?.slice((found?.column ?? 0) - 1, (found?.end_column ?? 0) - 1)).toBe(named[1])
      }),
      { numRuns: 300 },
    )
    expect(cycles).toBeGreaterThan(30)
  })

  it('tells one cycle for each group of tasks that wait for each other', () => {
    const graph = buildGraph([
      { key: 'a', depends_on: ['b', 'b', 'unknown'] },
      { key: 'b', depends_on: ['a', 'c'] },
      { key: 'c', depends_on: ['b'] },
      { key: 'd', depends_on: ['d', 'a'] },
      { key: 'e', depends_on: ['d'] },
    ])
    expect(graph.cycles).toEqual([['a', 'b'], ['d']])
    expect(graph.dependencies('a')).toEqual(['b'])
    expect(graph.upstream('e')).toEqual(['a', 'b', 'c', 'd'])
    expect(graph.isUpstream('e', 'a')).toBe(false)
  })
})
