import {
  type AiUsageReport,
  type AiUsageRow,
  aiUsageDays,
  type getAiUsage,
  mostAiUsageGroups,
} from '../../../contract/ai-usage.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { atLeast } from '../../../contract/roles.ts'
import { baseUrlOf } from '../../platform/ai-address.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, rateLimited } from '../../platform/refusal.ts'
import { type CountedUse, addUse, costed, noUse } from './ai-usage.rules.ts'
import { type AiUse, type AiUseOf, createAiUsageStore } from './ai-usage.store.ts'

const DAY_MS = 86_400_000
/** What a report covers unless asked otherwise. */
const USUAL_DAYS = 30
/** When to ask again if only calls in progress hold the rest of the budget. */
const SOON_SECONDS = 5

/** One call in progress: its place in the usage, and the end of what it holds of the budget. */
export interface CallBegun {
  of: AiUseOf
  end(): void
}

/** The daily budget, and what was used. Days are those of UTC; a call counts on the day it began. */
export function createAiUsageService({ config, store, clock }: Pick<Platform, 'config' | 'store' | 'clock'>) {
  const usage = createAiUsageStore(store)
  /** Estimated tokens of requests whose answers are still coming. */
  let held = 0
  const today = () => clock.iso().slice(0, 10)
  const tokensOf = ({ input_tokens, output_tokens }: AiUse) => input_tokens + output_tokens
  const daysFrom = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

  /** Why nothing more may be sent now. */
  function objection(): { reason: Message; seconds: number } | null {
    const limit = config.ai.dailyTokens
    if (limit === 0) return null
    const used = tokensOf(usage.ofDay(today()))
    if (used >= limit) {
      const seconds = (Date.parse(today()) + DAY_MS - clock.now().getTime()) / 1000
      return { reason: msg('ai_budget_spent', { limit }), seconds }
    }
    return used + held >= limit ? { reason: msg('ai_budget_held', { limit }), seconds: SOON_SECONDS } : null
  }

  function report({ from, to, group_by = [] }: QueryOf<typeof getAiUsage>, caller: Caller): AiUsageReport {
    const last = to ?? (from === undefined || from <= today() ? today() : from)
    const first = from ?? daysFrom(last, 1 - USUAL_DAYS)
    if (last < first) invalid([{ path: 'query.to', ...msg('before_from') }])
    if (daysFrom(first, aiUsageDays) <= last)
      invalid([{ path: 'query.to', ...msg('ai_usage_days', { most: aiUsageDays }) }])
    const everyone = atLeast(caller.role, 'admin')
    const userId = everyone ? null : caller.user_id
    const wanted = { from: first, to: last, userId, most: mostAiUsageGroups + 1 }
    const rows = usage.grouped(group_by, wanted)
    if (rows.length > mostAiUsageGroups)
      invalid([{ path: 'query.group_by', ...msg('ai_usage_groups', { most: mostAiUsageGroups }) }])
    const { prices, currency } = config.ai
    const groups = new Map<string, AiUsageRow>()
    let total: CountedUse = noUse
    for (const { day, host, model, user_id, username, ...use } of rows) {
      const of = { day, host, model: host === null ? null : model, user_id, username }
      const key = JSON.stringify(of)
      const counted = costed(use, prices, model)
      total = addUse(total, counted)
      groups.set(key, { ...of, ...addUse(groups.get(key) ?? noUse, counted) })
    }
    const unpriced = rows.filter(({ model }) => prices.size > 0 && model !== '' && !prices.has(model))
    return {
      from: first,
      to: last,
      everyone,
      currency: prices.size > 0 ? currency : null,
      unpriced_models: [...new Set(unpriced.map(({ model }) => model))].toSorted(),
      total,
      groups: [...groups.values()].toSorted(
        (a, b) => (a.day ?? '').localeCompare(b.day ?? '') || tokensOf(b) - tokensOf(a),
      ),
    }
  }

  return {
    objection,
    keepBudget(): void {
      const refused = objection()
      if (refused) rateLimited(refused.seconds, refused.reason)
    },

    /** Holds the estimated tokens of a request until its call has ended. */
    begin(host: string, model: string, userId: number, tokens: number): CallBegun {
      held += tokens
      const end = () => void (held -= tokens)
      return { of: { day: today(), host, model, user_id: userId }, end }
    },
    /** In a transaction of the caller. */
    add(of: AiUseOf, use: Omit<AiUse, 'calls'>): void {
      usage.forget(daysFrom(today(), 1 - aiUsageDays))
      usage.add(of, { calls: 1, ...use })
    },

    state(query: QueryOf<typeof getAiUsage>, caller: Caller) {
      const { provider, baseUrl, model, apiKey, rows, dailyTokens } = config.ai
      const base = baseUrlOf(provider, baseUrl)
      const used = usage.ofDay(today())
      const isReport = query.from !== undefined || query.to !== undefined || query.group_by !== undefined
      return {
        configured: apiKey !== null && model !== null && base !== null,
        host: base === null ? null : new URL(base).host,
        model,
        requests: used.calls,
        tokens: tokensOf(used),
        daily_tokens: dailyTokens,
        rows,
        report: isReport ? report(query, caller) : null,
      }
    },
  }
}
