import type { RunOutcome } from '../executor/worker-protocol.ts'
import type { Output } from './output.ts'

/** As the window names them; `--json` has the values of the API. */
const statuses: Readonly<Record<RunOutcome['status'], string>> = {
  success: 'succeeded',
  completed: 'completed with rejects',
  failed: 'failed',
}

/** The result of a run on standard output: for people, or as JSON. */
export function printOutcome(outcome: RunOutcome, took: number, json: boolean, output: Output): void {
  if (json) return output.out(JSON.stringify({ ...outcome, duration_ms: Math.round(took) }, null, 2))
  const { status, item_count: items, reject_count: rejects, error, outputs } = outcome
  const rows = items === null ? '' : `, ${items.toLocaleString('en')} rows`
  const lost = rejects > 0 ? `, ${rejects.toLocaleString('en')} rejected` : ''
  output.out(`${statuses[status]}${rows}${lost}, ${(took / 1000).toFixed(2)} s`)
  if (error) {
    output.out(`${error.code}${error.step === undefined ? '' : ` in ${error.step}`}: ${error.message}`)
    if (error.hint !== undefined) output.out(`  ${error.hint}`)
  }
  for (const [name, value] of Object.entries(outputs ?? {})) output.out(`${name} = ${JSON.stringify(value)}`)
}
