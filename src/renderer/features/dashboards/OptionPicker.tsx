import { MultiSelect, type OptionsFilter, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WidgetOption, WidgetOptionsResponse } from '../../../contract/dashboards.ts'
import type { ApiFailure } from '../../api/client.ts'
import { moreOptions, usePagedOptions, useStaysOpen } from '../../ui/paged-options.ts'
import type { Choice } from './dashboard-choice.rules.ts'
import { Truncated } from './WidgetFrame.tsx'
import { optionsKey, useViewing } from './dashboard-source.ts'
import classes from './dashboards.module.css'

export interface OptionsOf {
  widgetId: string
  side: string
  /** The draft that dependent options use. */
  draft: unknown
  choice: Choice
}

interface OptionPickerProps {
  label: string
  description?: string | undefined
  /** While nothing is chosen. */
  placeholder?: string | undefined
  required?: boolean
  error?: string | undefined
  /** null: a list of values. */
  value: string | null | readonly string[]
  multiple: boolean
  options: readonly WidgetOption[] | null
  from: OptionsOf
  /** Labels of what was chosen before. */
  labels?: Readonly<Record<string, string>> | undefined
  onLabels?: ((labels: Readonly<Record<string, string>>) => void) | undefined
  onChange(value: string | null | string[]): void
}

type OptionsInput = Parameters<OptionsFilter>[0]

export const noOptions: WidgetOptionsResponse = { options: [], next_cursor: null, selected: [], truncated: null }

/** Options as the server finds them, page by page, and whatever is chosen: its label stays. */
function useOptions({ widgetId, side, draft, choice }: OptionsOf, q: string, asked: boolean) {
  const { source } = useViewing()
  const enabled = asked && source.options !== undefined
  const body = { side, ...(q ? { q } : {}), ...(draft === undefined ? {} : { value: draft }), ...choice }
  const query = useInfiniteQuery<
    WidgetOptionsResponse,
    ApiFailure,
    { pages: WidgetOptionsResponse[] },
    readonly unknown[],
    string | null
  >({
    queryKey: [optionsKey, source.key, widgetId, source.keyOf?.(widgetId), body],
    queryFn: ({ pageParam, signal }) =>
      source.options?.(widgetId, { ...body, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal) ??
      noOptions,
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    enabled,
  })
  return { ...query, cannotAsk: asked && !enabled }
}

/** What is not among the options, below the field. */
const above = (truncated: NonNullable<WidgetOptionsResponse['truncated']>) => (input: ReactNode) => (
  <>
    {input}
    <Truncated truncated={truncated} />
  </>
)

export function OptionPicker({
  label,
  description,
  placeholder,
  required = false,
  error,
  value,
  multiple,
  options,
  from,
  labels,
  onLabels,
  onChange,
}: OptionPickerProps) {
  const { t } = useTranslation('dashboards')
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search, 200)
  // What is typed beside them is not asked with at each letter.
  const [draft] = useDebouncedValue(from.draft, 200)
  const query = useOptions({ ...from, draft }, q, options === null)
  const pages = query.data?.pages ?? []
  const found = options ?? pages.flatMap((page) => page.options)
  const chosen = value === null ? [] : typeof value === 'string' ? [value] : [...value]
  const { data, labelOf, remember, searchFor } = usePagedOptions(
    chosen,
    found,
    pages.flatMap((page) => page.selected),
    query.hasNextPage ? t('options.more') : null,
    labels,
  )
  const truncated = pages.find((page) => page.truncated)?.truncated
  const subTexts = new Map(found.map(({ value: one, subText }) => [one, subText]))
  const choose = (values: readonly string[]) => {
    remember(values)
    onLabels?.(Object.fromEntries(values.map((one) => [one, labelOf(one)])))
  }
  const { stay, dropdown } = useStaysOpen()
  const shared = {
    ...dropdown,
    label,
    description,
    placeholder: chosen.length === 0 ? placeholder : undefined,
    withAsterisk: required,
    error: error ?? query.error?.message,
    data,
    disabled: query.cannotAsk,
    searchable: true,
    clearable: !required,
    nothingFoundMessage: query.isFetching ? t('options.loading') : t('options.none'),
    comboboxProps: { withinPortal: true },
    renderOption: ({ option }: { option: WidgetOption }) => (
      <span>
        {option.label}
        {subTexts.get(option.value) ? <span className={classes.subText}>{subTexts.get(option.value)}</span> : null}
      </span>
    ),
    ...(truncated && { inputContainer: above(truncated) }),
    ...(options === null
      ? {
          onSearchChange: (text: string) => setSearch(searchFor(text)),
          filter: ({ options: all }: OptionsInput) => all,
        }
      : {}),
  }
  if (multiple) {
    return (
      <MultiSelect
        {...shared}
        value={chosen}
        onChange={(values) => {
          if (values.includes(moreOptions)) return void query.fetchNextPage()
          choose(values)
          onChange(values)
        }}
      />
    )
  }
  return (
    <Select
      {...shared}
      value={chosen[0] ?? null}
      onChange={(next) => {
        if (next === moreOptions) {
          stay()
          return void query.fetchNextPage()
        }
        if (next !== null) choose([next])
        onChange(next)
      }}
    />
  )
}
