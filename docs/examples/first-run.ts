// Makes two connectors, a task and a job, runs the job, prints its log as it is written, and what it put out.
const [, , server = 'http://127.0.0.1:4717', folder = process.cwd()] = process.argv
const key = process.env.HEADGATE_KEY ?? ''

const task = `etl: 1
kind: pipeline
name: sales.by_month
connectors:
  files: {type: file, access: read}
  shop: {type: sqlite, access: write}
source:
  connector: files
  files: {glob: orders.csv}
steps:
  - sql: |
      SELECT strftime(ordered_on, '%Y-%m') AS month, count(*) AS orders, sum(amount) AS revenue
      FROM stream GROUP BY month
target: {connector: shop, table: sales_by_month, mode: upsert, key: [month]}
outputs: {months: "\${{ run.item_count }}"}
`
const template = `etl: 1
kind: job
name: sales.monthly
connectors: {files: {type: file}, shop: {type: sqlite}}
tasks:
  by_month: {task: sales.by_month, connectors: {files: files, shop: shop}}
`

interface Named {
  id: number
  name: string
}
interface JobRun {
  id: number
  status: string
  error_message: string | null
}
interface Graph {
  job_run: JobRun
  nodes: { key: string; status: string; run_id: number | null; outputs: string | null }[]
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const places = (answer.details ?? []).map((one: { path: string; message: string }) => `\n  ${one.path}: ${one.message}`)
  throw new Error(`${method} ${path}: ${answer.error}: ${answer.message}${places.join('')}`)
}

/** The record of that name, made when it is not there yet. */
async function ensure(list: string, name: string, create: string, body: object): Promise<number> {
  const { result } = await call('GET', `${list}?q=${encodeURIComponent(name)}`)
  const found = result.find((one: Named) => one.name === name)
  return (found ?? (await call('POST', create, body))).id
}

/** Prints the log of a run until the run is over. */
async function follow(runId: number): Promise<void> {
  const response = await fetch(`${server}/api/runs/${runId}/logs`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
  })
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (/^event: end$/m.test(event)) return
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (!/^event: line$/m.test(event) || data === undefined) continue
      const line = JSON.parse(data) as { at: string; level: string; message: string }
      console.log(`${line.at} ${line.level.padEnd(5)} ${line.message}`)
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const files = await ensure('/connectors', 'sales files', '/connectors', {
  name: 'sales files',
  type: 'file',
  config: { root: folder },
})
const shop = await ensure('/connectors', 'sales shop', '/connectors', {
  name: 'sales shop',
  type: 'sqlite',
  config: { path: `${folder}/shop.db` },
})
await ensure('/tasks', 'sales.by_month', '/tasks', { yaml_content: task })
const templateId = await ensure('/job-templates', 'sales.monthly', '/job-templates', { yaml_content: template })
const jobId = await ensure('/jobs', 'sales monthly', `/job-templates/${templateId}/jobs`, {
  name: 'sales monthly',
  connector_mapping: { files, shop },
})

// The same key again would give this job run again, not a second one.
const started: JobRun = await call('POST', `/jobs/${jobId}/run`, {}, { 'Idempotency-Key': crypto.randomUUID() })
console.log(`Job run ${started.id} has started`)

const followed = new Set<number>()
let graph: Graph
do {
  graph = await call('GET', `/job-runs/${started.id}/graph`)
  for (const { run_id } of graph.nodes) {
    if (run_id === null || followed.has(run_id)) continue
    followed.add(run_id)
    await follow(run_id)
  }
  await pause(200)
} while (!['completed', 'failed', 'cancelled'].includes(graph.job_run.status))

for (const node of graph.nodes) console.log(`${node.key}: ${node.status}, outputs ${node.outputs ?? 'none'}`)
if (graph.job_run.status !== 'completed') {
  console.error(`The job run ended as ${graph.job_run.status}: ${graph.job_run.error_message ?? ''}`)
  process.exitCode = 1
}
