import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileConnector, runTask, temporaryFolder, type FinishedRun, type RunOptions } from '../engine/run-task.ts'

export interface StepRun {
  run: FinishedRun
  rows: Record<string, unknown>[]
  /** `name TYPE` of each column after the last step. */
  columns: string[]
}

export interface StepInput extends RunOptions {
  /** Rows in the YAML. */
  rows?: unknown[]
  columns?: Record<string, string>
  /** Or JSON lines. */
  lines?: string[]
  inputs?: Record<string, unknown>
  more?: string
}

/** Runs steps over rows, and gives what reached the target. */
export async function runSteps(steps: unknown[], input: StepInput): Promise<StepRun> {
  const folder = temporaryFolder()
  if (input.lines) writeFileSync(join(folder, 'in.jsonl'), input.lines.join('\n'))
  const source = input.lines
    ? { connector: 'out', files: { glob: 'in.jsonl', ...(input.columns ? { columns: input.columns } : {}) } }
    : { inline: { rows: input.rows ?? [], ...(input.columns ? { columns: input.columns } : {}) } }
  const inputs = input.inputs ? `inputs: ${JSON.stringify(input.inputs)}\n` : ''
  const yaml = `etl: 1
kind: pipeline
name: steps
connectors: {out: {type: file, access: read_write}}
${input.more ?? ''}
source: ${JSON.stringify(source)}
${inputs}steps: ${JSON.stringify(steps)}
target: {connector: out, file: {path: out.jsonl}}
`
  const run = await runTask(yaml, { out: fileConnector(folder) }, input)
  const written = run.status === 'failed' ? '' : readFileSync(join(folder, 'out.jsonl'), 'utf8')
  return {
    run,
    rows: written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    columns: (run.steps.at(-1)?.columns ?? []).map((column) => `${column.name} ${column.type}`),
  }
}
