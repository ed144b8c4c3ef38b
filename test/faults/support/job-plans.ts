// Random job templates, and what a model says becomes of them. Nothing here knows how the server does it.

/** Numbers from a seed, the same every time (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    chance: (share: number) => next() < share,
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
  }
}
export type Random = ReturnType<typeof randomFrom>

type RunIf = 'all_success' | 'none_failed' | 'all_done' | 'any_failed'
export interface PlanNode {
  key: string
  kind: 'task' | 'gate'
  above: string[]
  run_if: RunIf
  /** Only where the seed of the job run is odd (1) or even (0). */
  when: 0 | 1 | null
  on_failure: 'fail' | 'continue'
  fan: { items: number; max_parallel: number; on_item_error: 'fail' | 'continue' } | null
  pool: boolean
}

export function randomPlan(random: Random): PlanNode[] {
  const nodes: PlanNode[] = []
  const count = 4 + random.below(5)
  for (let n = 0; n < count; n++) {
    const earlier = nodes.map(({ key }) => key)
    const above = new Set(
      earlier.length === 0 ? [] : [random.pick(earlier), random.pick(earlier)].slice(random.below(3)),
    )
    const kind = n > 0 && random.chance(0.18) ? 'gate' : 'task'
    const fans = kind === 'task' && random.chance(0.35)
    nodes.push({
      key: `t${n}`,
      kind,
      above: [...above],
      run_if: random.pick(['all_success', 'all_success', 'none_failed', 'all_done', 'all_done', 'any_failed']),
      when: random.chance(0.15) ? random.pick([0, 1] as const) : null,
      on_failure: random.chance(0.3) ? 'continue' : 'fail',
      fan: fans
        ? {
            items: 1 + random.below(6),
            max_parallel: 1 + random.below(3),
            on_item_error: random.pick(['fail', 'continue']),
          }
        : null,
      pool: random.chance(0.25),
    })
  }
  return nodes
}

/** The task whose output a task is given, if there is one. */
export const giverOf = (node: PlanNode, plan: readonly PlanNode[]): PlanNode | undefined =>
  plan.find((other) => node.above.includes(other.key) && other.kind === 'task' && !other.fan)

export function templateYaml(name: string, plan: readonly PlanNode[]): string {
  const nodes = plan.map((node) => {
    const lines = [`  ${node.key}:`]
    const add = (line: string) => lines.push(`    ${line}`)
    if (node.above.length > 0) add(`depends_on: [${node.above.join(', ')}]`)
    if (node.run_if !== 'all_success') add(`run_if: ${node.run_if}`)
    if (node.when !== null) add(`when: "\${{ parameters.seed % 2 = ${node.when} }}"`)
    if (node.kind === 'gate') {
      add(`gate: "Shall ${node.key} be opened?"`)
      return lines.join('\n')
    }
    const giver = giverOf(node, plan)
    add('task: faults.call')
    add('connectors: {api: api}')
    if (node.on_failure === 'continue') add('on_failure: continue')
    if (node.pool) add('pool: faults')
    const { fan } = node
    if (fan) {
      const list = `[${Array.from({ length: fan.items }, (_, index) => index).join(', ')}]`
      add(`for_each: {in: ${list}, as: n, max_parallel: ${fan.max_parallel}, on_item_error: ${fan.on_item_error}}`)
    }
    const item = fan ? '"${{ each.n }}"' : '0'
    const given = giver ? `, given: "\${{ 'got ' & tasks.${giver.key}.outputs.n }}"` : ''
    add(`args: {job_run: "\${{ run.id }}", key: ${node.key}, item: ${item}, seed: "\${{ parameters.seed }}"${given}}`)
    return lines.join('\n')
  })
  return `etl: 1
kind: job
name: ${name}
parameters:
  seed: {type: integer, required: true}
connectors: {api: {type: http}}
concurrency: {tasks: 4}
tasks:
${nodes.join('\n')}
`
}

export const callTask = `etl: 1
kind: http
name: faults.call
connectors:
  api: {type: http, access: write}
args:
  job_run: {type: integer, required: true}
  key: {type: string, required: true}
  item: {type: integer, default: 0}
  seed: {type: integer, required: true}
  given: {type: string, default: ""}
http:
  connector: api
  path: /call
  method: POST
  body: {run: "\${{ run.id }}", attempt: "\${{ run.attempt }}", job_run: "\${{ args.job_run }}", key: "\${{ args.key }}", item: "\${{ args.item }}", seed: "\${{ args.seed }}", given: "\${{ args.given }}"}
outputs:
  n: "\${{ response.body.n }}"
retries: {max: 100, delay: 0s}
`

/** How a unit of work fares: at once, at its third call, or never. For a gate `never` means that it is refused. */
export type Fate = 'well' | 'third' | 'never'
export function fateOf(seed: number, key: string, item: number): Fate {
  const share = randomFrom(seed * 1009 + Number(key.slice(1)) * 31 + item).next()
  return share < 0.7 ? 'well' : share < 0.84 ? 'third' : 'never'
}
/** What a unit of work puts out. */
export const outputOf = (seed: number, key: string, item: number) => seed * 100 + Number(key.slice(1)) * 10 + item

export interface Outcome {
  status: 'success' | 'completed' | 'failed' | 'skipped'
  /** Of each unit of work; null where it depends on who was first. */
  items: (Fate | null)[]
}

/**
 * What becomes of every task and gate, and of the job run, when nobody cancels it. `lost` are units of work (`key/item`) whose
 * executor died after the work was done and before it could say so: they fail, for doing them again would double what they did.
 */
export function predict(plan: readonly PlanNode[], seed: number, lost: ReadonlySet<string>) {
  const nodes = new Map<string, Outcome>()
  const fate = (key: string, item: number) => (lost.has(`${key}/${item}`) ? 'never' : fateOf(seed, key, item))
  for (const node of plan) nodes.set(node.key, outcome(node, seed, fate, nodes))
  const failed = plan.some(
    (node) => nodes.get(node.key)!.status === 'failed' && (node.kind === 'gate' || node.on_failure === 'fail'),
  )
  return { nodes, status: failed ? ('failed' as const) : ('completed' as const) }
}

function outcome(
  node: PlanNode,
  seed: number,
  fateHere: (key: string, item: number) => Fate,
  nodes: ReadonlyMap<string, Outcome>,
): Outcome {
  const skipped: Outcome = { status: 'skipped', items: [] }
  const above = node.above.map((key) => nodes.get(key)!.status)
  if (!holds(node.run_if, above)) return skipped
  if (node.when !== null && seed % 2 !== node.when) return skipped
  if (node.kind === 'gate') return { status: fateHere(node.key, 0) === 'never' ? 'failed' : 'success', items: [] }
  const fates = Array.from({ length: node.fan?.items ?? 1 }, (_, item) => fateHere(node.key, item))
  const bad = fates.filter((fate) => fate === 'never').length
  if (bad === 0) return { status: 'success', items: fates }
  if (node.fan?.on_item_error === 'continue')
    return { status: bad < fates.length ? 'completed' : 'failed', items: fates }
  return { status: 'failed', items: node.fan ? fates.map(() => null) : fates }
}

function holds(runIf: RunIf, statuses: Outcome['status'][]): boolean {
  const bad = statuses.includes('failed')
  if (runIf === 'all_done') return true
  if (runIf === 'any_failed') return bad
  return !bad && (runIf === 'none_failed' || !statuses.includes('skipped'))
}
