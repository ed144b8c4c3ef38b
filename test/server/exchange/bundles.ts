import type { ImportResultLine, ImportSummaryLine } from '../../../src/contract/exchange.ts'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import type { TestClient, TestServer } from '../../support/server.ts'

export const taskYaml = (name: string, more = '') => `etl: 1
kind: pipeline
name: ${name}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.csv}}
${more}`
export const templateYaml = (name: string, task: string, more = '') => `etl: 1
kind: job
name: ${name}
connectors: {o: {type: file, access: write}}
tasks:
  one: {task: ${JSON.stringify(task)}, connectors: {out: o}${more}}
`

export interface Version {
  version: number
  yaml_content: string
  change_summary?: string | null
  created_at?: string
}
export interface Line {
  kind: 'task' | 'job_template'
  name: string
  tags?: string[]
  archived?: boolean
  current_version?: number
  versions: Version[]
}
export const header = { kind: 'bundle', format: 1 }
/** A task with these texts after its name in versions 1, 2, … */
export const taskLine = (name: string, texts: string[] = [''], more: Partial<Line> = {}): Line => ({
  kind: 'task',
  name,
  versions: texts.map((text, index) => ({ version: index + 1, yaml_content: taskYaml(name, text) })),
  ...more,
})
export const templateLine = (name: string, task: string, more: Partial<Line> = {}): Line => ({
  kind: 'job_template',
  name,
  versions: [{ version: 1, yaml_content: templateYaml(name, task) }],
  ...more,
})
export const bundleOf = (...lines: unknown[]) => [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')

export interface Imported {
  status: number
  error: ErrorBody
  results: ImportResultLine['result'][]
  summary: ImportSummaryLine
  text: string
}
export type Query = Record<string, string | boolean>

export async function importInto(client: TestClient, bundle: string, query: Query = {}): Promise<Imported> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status, body } = await client.post('/api/import', bundle, { headers, query })
  // An error as JSON, else lines.
  if (status !== 200) return { status, error: body as ErrorBody } as Imported
  const text = String(body)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ImportResultLine | ImportSummaryLine)
  const results = lines.flatMap((line) => (line.kind === 'result' ? [line.result] : []))
  return { status, text, results, summary: lines.at(-1) as ImportSummaryLine } as Imported
}

/** `[name, action, from, to]` of every line. */
export const actions = ({ results }: Imported) =>
  results.map(({ name, action, from_version, to_version }) => [name, action, from_version, to_version])

export async function exported(client: TestClient, query: Query = { versions: 'all' }): Promise<string> {
  const { status, body } = await client.get('/api/export', { query })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return String(body)
}
/** The lines after the first, which says when. */
export const recordsOf = (bundle: string) =>
  bundle
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)

/** What must hold of every store, whatever was imported. */
export function brokenInvariants({ platform }: TestServer): unknown[] {
  const { sqlite } = platform.store
  return ['task', 'job_template'].flatMap((kind) => [
    ...sqlite
      .prepare(`SELECT name, current_version FROM ${kind}s AS r WHERE NOT EXISTS
        (SELECT 1 FROM ${kind}_versions AS v WHERE v.${kind}_id = r.id AND v.version = r.current_version)`)
      .all(),
    ...sqlite.prepare(`SELECT name FROM ${kind}s GROUP BY name HAVING count(*) > 1`).all(),
    ...sqlite.prepare(`SELECT id FROM ${kind}_versions WHERE version < 1 OR yaml_content = ''`).all(),
    ...sqlite
      .prepare(`SELECT r.name FROM ${kind}s AS r JOIN ${kind}_versions AS v
        ON v.${kind}_id = r.id AND v.version = r.current_version WHERE v.connector_refs IS NOT r.connector_refs`)
      .all(),
  ])
}
