import { Alert, Button, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconCode, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { BuilderRow } from './BuilderRow.tsx'
import { NewRowFields } from './NewRowFields.tsx'
import {
  type BuilderColumn,
  type BuilderPlace,
  type Shown,
  changesAllRows,
  changesRows,
  mistakeAt,
  newFilter,
  newValue,
} from './builder.rules.ts'
import { ActionButton, type QueryAction } from './QueryBar.tsx'
import { Statement } from './Statement.tsx'
import { isSql, languageOf } from './statements.rules.ts'
import classes from './builder.module.css'

interface BuilderPaneProps {
  definition: ExplorerPresetDefinition
  place: BuilderPlace
  shown: Shown
  /** Of a change, at the foot of its form. */
  review: QueryAction | null
  /** Whether rows may be changed here. */
  mayChange: boolean
  onChange: (definition: ExplorerPresetDefinition) => void
  /** undefined: whoever it is may not write queries. */
  onRaw: (() => void) | undefined
}

/** What is read or changed: conditions, values, columns, order, and limit, and the statement that they make. */
export function BuilderPane({ definition, place, shown, review, mayChange, onChange, onRaw }: BuilderPaneProps) {
  const { t } = useTranslation('explorer')
  const change = (part: Partial<ExplorerPresetDefinition>) => onChange({ ...definition, ...part })
  const { filters = [], values = [], columns = [], sort = '', order = 'asc', limit = '', action = 'find' } = definition
  const names = [...new Set((place.columns ?? []).map(({ name }) => name))]
  const said = (path: string): string | undefined => {
    const reason = mistakeAt(shown, path)
    return reason && translateMessage(reason)
  }
  const isHttp = place.type === 'http'
  const language = languageOf(place.type)
  const fieldLabel = t(language !== null && isSql(language) ? 'builder.column' : 'builder.field')
  const listed = action === 'insert' ? columnsToFill(place) : noColumns
  const isChange = changesRows(definition)
  const actions = [
    'find',
    'count',
    ...(mayChange || isChange ? (['insert', 'update', 'delete'] as const) : []),
  ] as const
  return (
    <div className={classes.builder}>
      <form className={classes.form} aria-label={t('builder.label')} onSubmit={(event) => event.preventDefault()}>
        {isHttp ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('builder.action')}
            data={actions.map((value) => ({ value, label: t(`builder.${value}`) }))}
            value={action}
            onChange={(next) => change({ action: next, ...beginning(next, values, place) })}
          />
        )}
        {changesAllRows(definition) ? (
          <Alert color="yellow" variant="light" p={6}>
            {t(action === 'delete' ? 'builder.deletesAll' : 'builder.updatesAll', { resource: place.resource })}
          </Alert>
        ) : null}
        {action === 'insert' || action === 'update' ? (
          <fieldset className={classes.filters}>
            <legend>
              {action === 'insert' ? t('builder.newRow', { resource: place.resource }) : t('builder.newValues')}
            </legend>
            <NewRowFields
              columns={listed}
              values={values}
              errorAt={(at) => said(`values[${at}].value`)}
              onChange={(next) => change({ values: next })}
            />
            {values.map((value, at) =>
              listed.some(({ name }) => name === value.field) ? null : (
                <BuilderRow
                  // oxlint-disable-next-line react/no-array-index-key -- values have no name of their own, and their fields hold nothing
                  key={at}
                  label={t('builder.assignment', { number: at + 1 })}
                  fieldLabel={fieldLabel}
                  removeLabel={t('builder.removeValue', { number: at + 1 })}
                  row={value}
                  names={names}
                  errorAt={(part) => said(`values[${at}].${part}`)}
                  onChange={(part) => change({ values: values.with(at, { ...value, ...part }) })}
                  onRemove={() => change({ values: values.toSpliced(at, 1) })}
                />
              ),
            )}
            {listed.length > 0 ? null : (
              <Button
                size="compact-xs"
                variant="default"
                leftSection={<IconPlus size={12} />}
                onClick={() => change({ values: [...values, newValue] })}
              >
                {t('builder.addValue')}
              </Button>
            )}
          </fieldset>
        ) : null}
        {action === 'insert' ? null : (
          <fieldset className={classes.filters}>
            <legend>{t('builder.conditions')}</legend>
            {filters.map((filter, at) => (
              <BuilderRow
                // oxlint-disable-next-line react/no-array-index-key -- conditions have no name of their own, and their fields hold nothing
                key={at}
                label={t('builder.condition', { number: at + 1 })}
                fieldLabel={fieldLabel}
                removeLabel={t('builder.remove', { number: at + 1 })}
                row={filter}
                names={names}
                errorAt={(part) => said(`filters[${at}].${part}`)}
                onChange={(part) => change({ filters: filters.with(at, { ...filter, ...part }) })}
                onRemove={() => change({ filters: filters.toSpliced(at, 1) })}
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
        )}
        {action !== 'find' || isHttp ? null : (
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
        {review ? (
          <div className={classes.formFoot}>
            <ActionButton action={review} main />
          </div>
        ) : null}
      </form>
      <div className={classes.statement}>
        <div className={classes.statementHead}>
          <span>{t('builder.statement')}</span>
          {onRaw && shown.kind === 'statement' ? (
            <Button size="compact-xs" variant="default" leftSection={<IconCode size={12} />} onClick={onRaw}>
              {t('builder.raw')}
            </Button>
          ) : null}
        </div>
        {shown.kind === 'statement' ? (
          <>
            <Statement text={shown.query.text} values={shown.query.parameters} />
            {isChange ? <p className={classes.incomplete}>{t('builder.reviewed')}</p> : null}
          </>
        ) : (
          <p className={classes.incomplete}>
            {(listed.length === 0 ? said('values') : undefined) ??
              t(`builder.incomplete.${action === 'insert' || action === 'update' ? action : 'other'}`)}
          </p>
        )}
      </div>
    </div>
  )
}

const noColumns: readonly BuilderColumn[] = []

/** Columns of a table, which a new row has and no others; a document has whichever fields it is given. */
function columnsToFill({ type, columns = noColumns }: BuilderPlace) {
  const language = languageOf(type)
  return language !== null && isSql(language) ? columns : noColumns
}

/** Whoever writes needs a value to begin with, but where there is a field for each column. */
function beginning(
  action: ExplorerPresetDefinition['action'],
  values: NonNullable<ExplorerPresetDefinition['values']>,
  place: BuilderPlace,
) {
  if (action === 'insert' && columnsToFill(place).length > 0)
    return { values: values.filter(({ field }) => field !== '') }
  return action === 'insert' || action === 'update' ? { values: values.length === 0 ? [newValue] : values } : {}
}
