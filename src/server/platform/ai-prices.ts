/** What models cost, as the settings have it: `gpt-5-mini 0.25 2` is model, input, and output, per million tokens. */
import { msg } from '../../contract/messages.ts'
import type { About, Setting } from './config.setting-kinds.ts'

export interface ModelPrice {
  /** Per million tokens of requests. */
  input: number
  /** Per million tokens of answers. */
  output: number
}

const MOST_PRICES = 100
// A name of a model can have blanks; the last two words are the prices.
const written = /^(\S.{0,199}?) +(\d{1,6}(?:\.\d{1,6})?) +(\d{1,6}(?:\.\d{1,6})?)$/u

function priceOf(entry: unknown): [model: string, price: ModelPrice] | null {
  const found = typeof entry === 'string' && !/\p{Cc}/u.test(entry) ? written.exec(entry) : null
  return found && [found[1] ?? '', { input: Number(found[2]), output: Number(found[3]) }]
}

/** By model; entries that are not prices were refused before. */
export const pricesOf = (entries: readonly string[]): ReadonlyMap<string, ModelPrice> =>
  new Map(entries.map(priceOf).filter((one) => one !== null))

export function modelPrices(about: About): Setting<string[]> {
  return {
    ...about,
    type: 'list',
    value: [],
    nullable: false,
    fix: msg('give_model_prices'),
    parse: (text) => text.split(',').map((entry) => entry.trim()),
    check(given) {
      if (!Array.isArray(given)) return { reason: msg('not_list') }
      if (given.length > MOST_PRICES) return { reason: msg('too_many_model_prices', { most: MOST_PRICES }) }
      const entries: unknown[] = given
      const models = new Set<string>()
      for (const entry of entries) {
        const price = priceOf(entry)
        const shown = { value: JSON.stringify(entry).slice(0, 200) }
        if (!price) return { reason: msg('not_model_price', shown) }
        if (models.has(price[0])) return { reason: msg('model_price_twice', shown) }
        models.add(price[0])
      }
      // Every entry was just seen to be a string.
      return { value: entries as string[] }
    },
  }
}

export function currency(about: About, value: string): Setting<string> {
  return {
    ...about,
    type: 'string',
    value,
    nullable: false,
    fix: msg('give_currency'),
    parse: (text) => text,
    check: (given) =>
      typeof given === 'string' && /^[A-Z]{3}$/.test(given) ? { value: given } : { reason: msg('not_currency') },
  }
}
