/** Usage of AI, as a server would say that was asked for a month. */
import type { Page } from 'playwright'

const someUse = (input_tokens: number, output_tokens: number, cost: number | null, more: object = {}) => ({
  day: null,
  host: null,
  model: null,
  user_id: null,
  username: null,
  calls: Math.ceil(input_tokens / 4_000),
  failed_calls: 0,
  estimated_calls: 0,
  input_tokens,
  output_tokens,
  cost,
  unpriced_tokens: cost === null ? input_tokens + output_tokens : 0,
  ...more,
})
const someModels = [
  { host: 'api.openai.com', model: 'gpt-5-mini', share: 1 },
  { host: 'api.mistral.ai', model: 'mistral-medium-latest', share: 0.4 },
  { host: '127.0.0.1:11434', model: 'hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL', share: 0.15 },
]
/** The server says what AI has used; nothing was asked. */
export const usedAi = async (page: Page) => {
  await page.route('**/api/ai/usage?*', (route) => {
    const by = new URL(route.request().url()).searchParams.getAll('group_by')
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    const ofModels = someModels.map(({ host, model, share }, at) =>
      someUse(1_911_840 * share, 420_320 * share, at === 2 ? null : 1.3185 * share, { host, model, failed_calls: at }),
    )
    const ofDays = Array.from({ length: 30 }, (_, back) => back).flatMap((back) =>
      back % 7 < 2
        ? []
        : someModels.map(({ share, ...of }) =>
            someUse(Math.round(90_000 * share * (1 + Math.sin(back * 2.1) / 2)), 12_000, 0.1, {
              ...of,
              day: day(back),
            }),
          ),
    )
    const ofPeople = [
      someUse(1_500_020, 300_110, 1.1, { user_id: 1, username: 'grace', unpriced_tokens: 0 }),
      someUse(820_431, 210_405, 0.71, { user_id: 2, username: 'ada.lovelace', failed_calls: 3 }),
      someUse(1_022, 211, 0.0006, { user_id: 3, username: 'linus', unpriced_tokens: 0 }),
    ]
    const total = someUse(2_963_352, 651_480, 1.8459, { calls: 741, estimated_calls: 12, unpriced_tokens: 349_822 })
    const groups = by.includes('day') ? ofDays : by.includes('model') ? ofModels : ofPeople
    const report = { from: day(29), to: day(0), everyone: true, currency: 'EUR', total, groups }
    return route.fulfill({
      json: {
        configured: true,
        host: 'api.openai.com',
        model: 'gpt-5-mini',
        rows: 'never',
        requests: 214,
        tokens: 861_407,
        daily_tokens: 1_000_000,
        report: { ...report, unpriced_models: [someModels[2]?.model] },
      },
    })
  })
  await page.reload()
}
