import { oracle } from './oracle.ts'

export interface DifferentialOptions {
  cases: number
  /** Of the first case; each further one has the next number. */
  seed: number
  /** No case begins later than this. */
  seconds: number
  /** Also the cases that show what oracle/known.py lists. */
  known: boolean
}

/** What oracle/main.py writes. */
export interface DifferentialReport {
  cases: number
  seconds: number
  /** By area: how many cases agreed, were refused as documented, differed in a known way, or differed. */
  areas: Record<string, Partial<Record<'agreed' | 'refused' | 'known' | 'differed', number>>>
  /** `said`: a whole account, with task and data. */
  findings: { seeds: number[]; said: string }[]
  /** `seeds`: of the cases that showed it. */
  known: Record<string, { sentence: string; seeds: number[] }>
}

/** Runs random tasks on random tables, and lets Python's own clients look at what has arrived. Findings are printed as they come. */
export async function runDifferential(options: DifferentialOptions): Promise<DifferentialReport> {
  return (await oracle('main.py', options)) as DifferentialReport // as main.py writes it
}
