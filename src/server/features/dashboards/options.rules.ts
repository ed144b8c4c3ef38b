import type { WidgetOption } from '../../../contract/dashboards.ts'
import { msg } from '../../../contract/messages.ts'
import { invalidState } from '../../platform/refusal.ts'
import type { CachedRows } from './data-cache.ts'

/** Options in rows with the columns `value`, `label`, and perhaps `subText`; of a single column the value is the label, too. */
export function optionsIn({ fields, rows }: Pick<CachedRows, 'fields' | 'rows'>, data: string): WidgetOption[] {
  const at = (name: string) => fields.findIndex((field) => field.name.toLowerCase() === name)
  const value = at('value')
  const label = at('label') >= 0 ? at('label') : fields.length === 1 ? value : -1
  const subText = at('subtext')
  if (rows.length === 0 && fields.length === 0) return []
  if (value < 0 || label < 0) {
    invalidState(msg('options_lack_column', { data, columns: fields.map(({ name }) => name) }))
  }
  return rows.flatMap((row) => {
    const text = textOf(row[value])
    if (text === null) return []
    const more = subText < 0 ? null : textOf(row[subText])
    return [{ value: text, label: textOf(row[label]) ?? text, ...(more !== null && { subText: more }) }]
  })
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') {
    // A value under its type, see `WireValue`.
    const [only] = Object.values(value)
    return typeof only === 'string' || typeof only === 'number' ? String(only) : JSON.stringify(only ?? null)
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const holds = ({ label, value, subText = '' }: WidgetOption, words: string): boolean =>
  `${label}\n${value}\n${subText}`.toLowerCase().includes(words.toLowerCase())

/** The chosen values in a draft. */
export function chosenIn(draft: unknown): string[] {
  const all = Array.isArray(draft) ? (draft as unknown[]) : [draft]
  const texts = all.flatMap((one) =>
    typeof one === 'string' && one !== '' ? one : typeof one === 'number' ? String(one) : [],
  )
  return [...new Set(texts)].slice(0, mostChosen)
}
const mostChosen = 200
