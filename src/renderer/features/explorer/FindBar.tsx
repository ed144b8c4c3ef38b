import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconDatabaseSearch, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryField } from '../../../contract/query-values.ts'
import { numberText } from '../../ui/format.ts'
import { operatorWords } from './builder.rules.ts'
import classes from './find.module.css'
import { findOperators } from './find.rules.ts'
import type { ResultView } from './use-view.ts'

interface FindBarProps {
  view: ResultView
  fields: readonly QueryField[]
  /** Shows a cell; `row` is its place in the grid. */
  onShow: (place: { row: number; field: number }) => void
  onClose: () => void
}

const everywhere = 'all'

/** Finds values in the rows of a result, and shows only the rows that have them. */
export function FindBar({ view, fields, onShow, onClose }: FindBarProps) {
  const { t } = useTranslation('explorer')
  const { condition, setCondition, found, only, setOnly } = view
  const { field, operator, value } = condition
  const [at, setAt] = useState(-1)
  const count = useId()
  const step = (by: 1 | -1) => {
    const most = found?.length ?? 0
    if (most === 0) return
    const next = at < 0 ? (by > 0 ? 0 : most - 1) : (at + by + most) % most
    setAt(next)
    const place = found?.[next]
    if (place) onShow(place)
  }
  const change = (part: Partial<typeof condition>) => {
    setAt(-1)
    setCondition({ ...condition, ...part })
  }
  const takesValue = operator !== 'is null' && operator !== 'is not null'
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={classes.bar} role="search" aria-label={t('find.label')}>
      <Select
        size="xs"
        w={150}
        aria-label={t('find.column')}
        allowDeselect={false}
        searchable={fields.length > 12}
        data={[
          { value: everywhere, label: t('find.allColumns') },
          // Names can be there twice.
          ...fields.map(({ name }, index) => ({ value: String(index), label: name || String(index + 1) })),
        ]}
        value={field === null ? everywhere : String(field)}
        onChange={(next) =>
          change(next === null || next === everywhere ? { field: null, operator: 'contains' } : { field: Number(next) })
        }
      />
      <Select
        size="xs"
        w={120}
        aria-label={t('find.operator')}
        allowDeselect={false}
        disabled={field === null}
        data={findOperators.map((one) => ({ value: one, label: t(`builder.operators.${operatorWords[one]}`) }))}
        value={operator}
        onChange={(next) => change({ operator: next ?? 'contains' })}
      />
      <TextInput
        size="xs"
        className={classes.value}
        data-find
        aria-label={t('find.value')}
        placeholder={t('find.value')}
        disabled={!takesValue}
        value={takesValue ? value : ''}
        error={view.mistake !== null}
        aria-describedby={count}
        onChange={(event) => change({ value: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <span id={count} className={classes.count} role="status" data-mistake={view.mistake !== null || undefined}>
        {view.mistake !== null
          ? t(`parameters.bad.${view.mistake}`)
          : view.isReading
            ? t('find.reading')
            : found === null
              ? ''
              : at < 0
                ? t('find.matches', { count: found.length, formatted: numberText(found.length) })
                : t('find.match', { at: numberText(at + 1), of: numberText(found.length) })}
      </span>
      <ActionIcon size={26} aria-label={t('find.previous')} disabled={!found?.length} onClick={() => step(-1)}>
        <IconChevronUp size={14} />
      </ActionIcon>
      <ActionIcon size={26} aria-label={t('find.next')} disabled={!found?.length} onClick={() => step(1)}>
        <IconChevronDown size={14} />
      </ActionIcon>
      <Checkbox
        size="xs"
        label={t('find.only')}
        checked={only}
        onChange={(event) => {
          setAt(-1)
          setOnly(event.currentTarget.checked)
        }}
      />
      <span className={classes.space} />
      <ActionIcon size={26} aria-label={t('find.close')} onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  )
}

/** Says how much of the result was sorted and searched, where that isn’t all of it. */
export function SearchedPart({
  view,
  total,
  complete,
  onDatabase,
}: {
  view: ResultView
  total: number
  complete: boolean
  /** undefined: the query can’t be changed in the builder. */
  onDatabase: (() => void) | undefined
}) {
  const { t } = useTranslation('explorer')
  if (view.searched === null) return null
  const first = numberText(view.searched)
  return (
    <div className={classes.part} role="status">
      <span>
        {complete ? t('find.partOf', { first, of: numberText(total) }) : t('find.part', { first })}{' '}
        {onDatabase ? null : t('find.inQuery')}
      </span>
      {onDatabase ? (
        <Button size="compact-xs" variant="default" leftSection={<IconDatabaseSearch size={13} />} onClick={onDatabase}>
          {t('find.database')}
        </Button>
      ) : null}
    </div>
  )
}
