/** What usage costs. Pure. */
import type { ModelPrice } from '../../platform/ai-prices.ts'
import type { AiUse } from './ai-usage.store.ts'

export interface CountedUse extends AiUse {
  /** null: no price applies. */
  cost: number | null
  unpriced_tokens: number
}

const MILLION = 1_000_000

export const noUse: CountedUse = {
  calls: 0,
  failed_calls: 0,
  estimated_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost: null,
  unpriced_tokens: 0,
}

/** The use of one model, at its price. */
export function costed(use: AiUse, prices: ReadonlyMap<string, ModelPrice>, model: string): CountedUse {
  const price = prices.get(model)
  const tokens = use.input_tokens + use.output_tokens
  if (!price) return { ...use, cost: null, unpriced_tokens: prices.size === 0 ? 0 : tokens }
  const cost = (use.input_tokens * price.input + use.output_tokens * price.output) / MILLION
  return { ...use, cost, unpriced_tokens: 0 }
}

export const addUse = (a: CountedUse, b: CountedUse): CountedUse => ({
  calls: a.calls + b.calls,
  failed_calls: a.failed_calls + b.failed_calls,
  estimated_calls: a.estimated_calls + b.estimated_calls,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cost: a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0),
  unpriced_tokens: a.unpriced_tokens + b.unpriced_tokens,
})
