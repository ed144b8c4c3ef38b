import { ActionIcon, Autocomplete, Button, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconCode, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  type ExplorerFilter,
  type ExplorerPresetDefinition,
  filterValueTypes,
} from '../../../contract/explorer-presets.ts'
import { filterOperators, withoutValue } from '../../../language/query/query.types.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { type BuilderPlace, type Shown, mistakeAt, newFilter, operatorWords } from './builder.rules.ts'
import { Statement } from './Statement.tsx'
import classes from './builder.module.css'

interface BuilderPaneProps {
  definition: ExplorerPresetDefinition
  place: BuilderPlace
  shown: Shown
  onChange: (definition: ExplorerPresetDefinition) => void
  /** undefined: whoever it is may not write queries. */
  onRaw: (() => void) | undefined
}

/** Conditions, columns, order, and limit of a query, and the statement that is sent. */
export function BuilderPane({ definition, place, shown, onChange, onRaw }: BuilderPaneProps) {
  const { t } = useTranslation('explorer')
  const change = (part: Partial<ExplorerPresetDefinition>) => onChange({ ...definition, ...part })
  const { filters = [], columns = [], action = 'find', sort = '', order = 'asc', limit = '' } = definition
  const names = [...new Set((place.columns ?? []).map(({ name }) => name))]
  const setFilter = (at: number, part: Partial<ExplorerFilter>) =>
    change({ filters: filters.map((filter, index) => (index === at ? { ...filter, ...part } : filter)) })
  const said = (path: string): string | undefined => {
    const reason = mistakeAt(shown, path)
    return reason && translateMessage(reason)
  }
  const isHttp = place.type === 'http'
  return (
    <div className={classes.builder}>
      <form className={classes.form} aria-label={t('builder.label')} onSubmit={(event) => event.preventDefault()}>
        {isHttp ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('builder.action')}
            data={[
              { value: 'find', label: t('builder.find') },
              { value: 'count', label: t('builder.count') },
            ]}
            value={action === 'count' ? 'count' : 'find'}
            onChange={(next) => change({ action: next === 'count' ? 'count' : 'find' })}
          />
        )}
        <fieldset className={classes.filters}>
          <legend>{t('builder.conditions')}</legend>
          {filters.map((filter, at) => (
            <FilterRow
              // oxlint-disable-next-line react/no-array-index-key -- conditions have no name of their own, and their fields hold nothing
              key={at}
              number={at + 1}
              filter={filter}
              names={names}
              errors={{
                field: said(`filters[${at}].field`),
                operator: said(`filters[${at}].operator`),
                value: said(`filters[${at}].value`),
              }}
              onChange={(part) => setFilter(at, part)}
              onRemove={() => change({ filters: filters.filter((_, index) => index !== at) })}
            />
          ))}
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={12} />}
            onClick={() => change({ filters: [...filters, newFilter] })}
          >
            {t('builder.add')}
          </Button>
        </fieldset>
        {action === 'count' || isHttp ? null : (
          <div className={classes.options}>
            <MultiSelect
              size="xs"
              label={t('builder.columns')}
              placeholder={columns.length === 0 ? t('builder.allColumns') : undefined}
              data={[...new Set([...names, ...columns])]}
              searchable
              clearable
              value={columns}
              onChange={(next) => change({ columns: next })}
            />
            <Select
              size="xs"
              label={t('builder.sort')}
              placeholder={t('builder.unsorted')}
              data={[...new Set([...names, ...(sort === '' ? [] : [sort])])]}
              searchable
              clearable
              value={sort === '' ? null : sort}
              onChange={(next) => change({ sort: next ?? '' })}
            />
            <Select
              size="xs"
              label={t('builder.order')}
              allowDeselect={false}
              disabled={sort === ''}
              data={[
                { value: 'asc', label: t('builder.asc') },
                { value: 'desc', label: t('builder.desc') },
              ]}
              value={order}
              onChange={(next) => change({ order: next === 'desc' ? 'desc' : 'asc' })}
            />
            <TextInput
              size="xs"
              label={t('builder.limit')}
              inputMode="numeric"
              placeholder={t('builder.noLimit')}
              value={limit}
              error={said('limit')}
              onChange={(event) => change({ limit: event.currentTarget.value })}
            />
          </div>
        )}
      </form>
      <div className={classes.statement}>
        <div className={classes.statementHead}>
          <span>{t('builder.statement')}</span>
          {onRaw ? (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconCode size={12} />}
              disabled={shown.kind !== 'statement'}
              onClick={onRaw}
            >
              {t('builder.raw')}
            </Button>
          ) : null}
        </div>
        {shown.kind === 'statement' ? (
          <Statement text={shown.query.text} values={shown.query.parameters} />
        ) : (
          <p className={classes.incomplete}>{t('builder.incomplete')}</p>
        )}
      </div>
    </div>
  )
}

interface FilterRowProps {
  number: number
  filter: ExplorerFilter
  names: readonly string[]
  errors: { field: string | undefined; operator: string | undefined; value: string | undefined }
  onChange: (part: Partial<ExplorerFilter>) => void
  onRemove: () => void
}

function FilterRow({ number, filter, names, errors, onChange, onRemove }: FilterRowProps) {
  const { t } = useTranslation('explorer')
  const takesValue = !withoutValue(filter.operator)
  return (
    <div className={classes.filter} role="group" aria-label={t('builder.condition', { number })}>
      <Autocomplete
        size="xs"
        aria-label={t('builder.field')}
        placeholder={t('builder.field')}
        data={[...names]}
        value={filter.field}
        error={filter.field === '' ? undefined : errors.field}
        onChange={(field) => onChange({ field })}
      />
      <Select
        size="xs"
        aria-label={t('builder.operator')}
        allowDeselect={false}
        data={filterOperators.map((value) => ({ value, label: t(`builder.operators.${operatorWords[value]}`) }))}
        value={filter.operator}
        error={errors.operator}
        onChange={(operator) => onChange({ operator: operator ?? '=' })}
      />
      <TextInput
        size="xs"
        aria-label={t('builder.value')}
        placeholder={filter.operator.endsWith('in') ? t('builder.list') : t('builder.value')}
        disabled={!takesValue}
        value={takesValue ? filter.value : ''}
        error={takesValue ? errors.value : undefined}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <Select
        size="xs"
        aria-label={t('builder.valueType')}
        allowDeselect={false}
        disabled={!takesValue}
        data={filterValueTypes.map((value) => ({ value, label: t(`builder.types.${value}`) }))}
        value={filter.valueType ?? 'auto'}
        onChange={(valueType) => onChange({ valueType: valueType ?? 'auto' })}
      />
      <ActionIcon size={26} aria-label={t('builder.remove', { number })} onClick={onRemove}>
        <IconX size={13} />
      </ActionIcon>
    </div>
  )
}
