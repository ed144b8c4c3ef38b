import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PresetParameter } from '../../../contract/explorer-presets.ts'
import { type PickedRecord, type RecordsPage, listRecords } from '../../../contract/records.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { failureText } from '../../ui/failure-text.ts'
import { moreOptions, usePagedOptions, useStaysOpen } from '../../ui/paged-options.ts'
import classes from './explorer.module.css'

interface RecordPickerProps {
  connectorId: number
  parameter: PresetParameter
  presetId: number | null
  label: string
  required: boolean
  isFirst: boolean
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

type Choosable = PickedRecord & { value: string }
const isChoosable = (record: PickedRecord): record is Choosable => record.value !== null

/** Records of a collection, searched and paged by MongoDB. */
export function RecordPicker({
  connectorId,
  parameter,
  presetId,
  label,
  required,
  isFirst,
  value,
  error,
  onChange,
}: RecordPickerProps) {
  const { t } = useTranslation('explorer')
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search, 200)
  /** Whose label is asked for: one that was chosen here has it already. */
  const [first] = useState(value)
  const body = { parameter, q, ...(presetId !== null && { preset_id: presetId }), ...(first && { value: first }) }
  const query = useInfiniteQuery<RecordsPage, ApiFailure, { pages: RecordsPage[] }, readonly unknown[], string | null>({
    queryKey: [listRecords.id, connectorId, body],
    queryFn: ({ pageParam, signal }) =>
      call(listRecords, {
        params: { id: connectorId },
        body: { ...body, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: freshMs,
    retry: false,
  })
  const pages = query.data?.pages ?? []
  const found = pages.flatMap(({ records }) => records)
  const choosable = found.filter(isChoosable)
  const records = new Map(choosable.map((record) => [record.value, record]))
  const { data, remember, searchFor } = usePagedOptions(
    value === '' ? [] : [value],
    choosable,
    pages.flatMap(({ selected }) => (selected && isChoosable(selected) ? [selected] : [])),
    query.hasNextPage ? t('records.more') : null,
  )
  const { stay, dropdown } = useStaysOpen()
  const useless = found.length - choosable.length
  return (
    <Select
      {...dropdown}
      label={label}
      withAsterisk={required}
      description={useless > 0 ? t('records.useless', { count: useless }) : undefined}
      data-autofocus={isFirst || undefined}
      data={data}
      value={value === '' ? null : value}
      error={error ?? (query.error ? failureText(query.error) : undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('records.clear', { label }) }}
      placeholder={t('records.search')}
      nothingFoundMessage={query.isFetching ? t('records.loading') : t('records.none')}
      filter={({ options }) => options}
      onSearchChange={(text) => setSearch(searchFor(text))}
      renderOption={({ option }) => (
        <span>
          {option.label}
          {records.get(option.value)?.description.map(({ field, text }) => (
            <span key={field} className={classes.recordDetail}>
              {field}: {text}
            </span>
          ))}
        </span>
      )}
      onChange={(next) => {
        if (next === moreOptions) {
          stay()
          return void query.fetchNextPage()
        }
        if (next !== null) remember([next])
        onChange(next ?? '')
      }}
    />
  )
}

const freshMs = 30_000
