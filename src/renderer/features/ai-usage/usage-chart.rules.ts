/** Tokens of each day by model, for a chart. Pure. */
import type { AiUsageReport, AiUsageRow } from '../../../contract/ai-usage.ts'

/** Models with their own color; all others share one. */
export const MOST_MODELS = 4
const DAY_MS = 86_400_000

export const tokensOf = ({ input_tokens, output_tokens }: Pick<AiUsageRow, 'input_tokens' | 'output_tokens'>) =>
  input_tokens + output_tokens

export function daysOf({ from, to }: Pick<AiUsageReport, 'from' | 'to'>): string[] {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return Array.from({ length: days }, (_, at) => new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10))
}

/** One for each model, most tokens first; `model` null: the others together. */
export function seriesOf({ groups, ...span }: Pick<AiUsageReport, 'from' | 'to' | 'groups'>) {
  const totals = new Map<string, number>()
  for (const row of groups) totals.set(row.model ?? '', (totals.get(row.model ?? '') ?? 0) + tokensOf(row))
  const ranked = [...totals].toSorted(([, a], [, b]) => b - a).map(([model]) => model)
  const own = ranked.length > MOST_MODELS ? ranked.slice(0, MOST_MODELS - 1) : ranked
  const days = daysOf(span)
  const at = new Map(days.map((day, index) => [day, index]))
  const empty = () => days.map(() => 0)
  const values = new Map<string | null, number[]>(own.map((model) => [model, empty()]))
  for (const row of groups) {
    const model = own.includes(row.model ?? '') ? (row.model ?? '') : null
    const of = values.get(model) ?? empty()
    const index = at.get(row.day ?? '')
    if (index !== undefined) of[index] = (of[index] ?? 0) + tokensOf(row)
    values.set(model, of)
  }
  return { days, series: [...values].map(([model, of]) => ({ model, values: of })) }
}
