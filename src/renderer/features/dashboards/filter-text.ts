import { useTranslation } from 'react-i18next'
import type { DashboardFilter, FilterValue } from '../../../language/dashboard/dashboard.types.ts'
import { dateText, listText, numberText } from '../../ui/format.ts'

/** What a filter is set to, as words. */
export function useFilterText() {
  const { t } = useTranslation('dashboards')
  return (filter: DashboardFilter, value: FilterValue): string => {
    const options = 'options' in filter ? (filter.options ?? []) : []
    const one = (text: string | number) => {
      if (typeof text === 'number') return numberText(text)
      if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dateText(new Date(`${text}T00:00`), 'day')
      return options.find((option) => option.value === text)?.label ?? text
    }
    if (value === null || value === '') return t('filters.any')
    if (Array.isArray(value)) return value.length === 0 ? t('filters.none') : listText(value.map(one))
    if (typeof value !== 'object') return one(value)
    const [from, to] = [value.from ?? null, value.to ?? null]
    if (from !== null && to !== null) return `${one(from)} – ${one(to)}`
    if (from !== null) return t(typeof from === 'number' ? 'filters.atLeast' : 'filters.since', { value: one(from) })
    return to === null ? t('filters.any') : t('filters.atMost', { value: one(to) })
  }
}
