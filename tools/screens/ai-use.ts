/** Usage of AI, as a server would say that was asked for a month. Every figure is a sum of the same uses. */
import type { Page } from 'playwright'

const models = [
  { host: 'api.openai.com', model: 'gpt-5-mini', share: 0.65, price: 0.36e-6, failed: 0 },
  { host: 'api.mistral.ai', model: 'mistral-medium-latest', share: 0.25, price: 0.56e-6, failed: 1 },
  {
    host: '127.0.0.1:11434',
    model: 'hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL',
    share: 0.1,
    price: null,
    failed: 2,
  },
]
const people = [
  { user_id: 1, username: 'grace', share: 0.61 },
  { user_id: 2, username: 'ada.lovelace', share: 0.37 },
  { user_id: 3, username: 'linus', share: 0.02 },
]
const today = { tokens: 861_407, calls: 214 }

/** The days before today on which somebody worked. */
const workdays = Array.from({ length: 29 }, (_, at) => at + 1)
  .filter((back) => back % 7 > 1)
  .map((back) => {
    const tokens = Math.round(520_000 * (1 + Math.sin(back * 2.1) / 3))
    return { back, tokens, calls: Math.round(tokens / 4_000) }
  })

/** Each with its part, in whole numbers whose sum is the whole: the first has what the others leave. */
function split<One extends { share: number }>(whole: number, among: readonly One[]): { one: One; part: number }[] {
  const parts = among.map(({ share }) => Math.round(whole * share))
  const rest = whole - parts.reduce((sum, part) => sum + part, 0)
  return among.map((one, at) => ({ one, part: (parts[at] ?? 0) + (at === 0 ? rest : 0) }))
}

const dayOf = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

/** What one person had one model do on one day. */
const usesOf = () =>
  [{ back: 0, ...today }, ...workdays].flatMap(({ back, tokens, calls }) => {
    const callsOf = new Map(split(calls, models).map(({ one, part }) => [one, part]))
    return split(tokens, models).flatMap(({ one: of, part: ofModel }) => {
      const callsBy = new Map(split(callsOf.get(of) ?? 0, people).map(({ one, part }) => [one, part]))
      return split(ofModel, people).map(({ one: person, part }) => {
        const output_tokens = Math.round(part * 0.18)
        const isFirst = back === 0 && person === people[0]
        return {
          day: dayOf(back),
          host: of.host,
          model: of.model,
          user_id: person.user_id,
          username: person.username,
          calls: callsBy.get(person) ?? 0,
          failed_calls: isFirst ? of.failed : 0,
          estimated_calls: isFirst && of.price === null ? 12 : 0,
          input_tokens: part - output_tokens,
          output_tokens,
          cost: of.price === null ? null : part * of.price,
          unpriced_tokens: of.price === null ? part : 0,
        }
      })
    })
  })
type Use = ReturnType<typeof usesOf>[number]

const summed = (uses: readonly Use[], by: Partial<Use> = {}) => {
  const sum = (of: (use: Use) => number) => uses.reduce((whole, use) => whole + of(use), 0)
  return {
    day: null,
    host: null,
    model: null,
    user_id: null,
    username: null,
    ...by,
    calls: sum((use) => use.calls),
    failed_calls: sum((use) => use.failed_calls),
    estimated_calls: sum((use) => use.estimated_calls),
    input_tokens: sum((use) => use.input_tokens),
    output_tokens: sum((use) => use.output_tokens),
    cost: uses.every(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
    unpriced_tokens: sum((use) => use.unpriced_tokens),
  }
}

const grouped = (uses: readonly Use[], keyOf: (use: Use) => Partial<Use>) =>
  [...Map.groupBy(uses, (use) => JSON.stringify(keyOf(use))).values()].map((group) =>
    summed(group, group[0] && keyOf(group[0])),
  )

/** The server says what AI has used; nothing was asked. */
export const usedAi = async (page: Page) => {
  await page.route('**/api/ai/usage?*', (route) => {
    const by = new URL(route.request().url()).searchParams.getAll('group_by')
    const uses = usesOf()
    const groups = grouped(uses, ({ day, host, model, user_id, username }) => ({
      ...(by.includes('day') && { day }),
      ...(by.includes('model') && { host, model }),
      ...(by.includes('user') && { user_id, username }),
    }))
    return route.fulfill({
      json: {
        configured: true,
        host: 'api.openai.com',
        model: 'gpt-5-mini',
        rows: 'never',
        requests: today.calls,
        tokens: today.tokens,
        daily_tokens: 1_000_000,
        report: {
          from: dayOf(29),
          to: dayOf(0),
          everyone: true,
          currency: 'EUR',
          total: summed(uses),
          groups,
          unpriced_models: [models[2]?.model],
        },
      },
    })
  })
  await page.reload()
}
