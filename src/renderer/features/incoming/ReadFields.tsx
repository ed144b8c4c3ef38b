import { NumberInput, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ColumnWritings } from './ColumnWritings.tsx'
import classes from './incoming.module.css'
import { mayQuarantine } from './data-draft.rules.ts'
import { delimiters, encodings } from './text-sniff.rules.ts'
import type { DataChoice } from './use-data-choice.ts'
import { dateChoices, momentChoices, numberChoices, numberKey, styleOf } from './written-choices.ts'

const nameOf = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const
const quotes = ['"', "'", ''] as const
const quoteName = { '"': 'double', "'": 'single', '': 'none' } as const
/** A choice has no empty value. */
const noQuote = 'none'

/** Lines above the rows that say something of the file. */
function Skipped({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  return (
    <NumberInput
      label={t(data.read.format === 'xlsx' ? 'form.skipRows' : 'form.skipLines')}
      min={0}
      max={10_000}
      allowDecimal={false}
      allowNegative={false}
      value={data.read.skip}
      onChange={(skip) => data.choose({ skip: Number(skip) })}
    />
  )
}

function HeaderSwitch({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  return (
    <Switch
      label={t('form.header')}
      checked={data.read.header}
      onChange={(event) => data.choose({ header: event.currentTarget.checked })}
    />
  )
}

/** How the values of delimited text are written: as found, and to be corrected. */
function WrittenFields({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { written } = data.read
  const { number, day } = data.unclear
  return (
    <>
      <div className={classes.pair}>
        <Select
          label={t('form.numbers')}
          allowDeselect={false}
          data={numberChoices}
          value={numberKey(written.numbers)}
          onChange={(key) => data.write({ numbers: styleOf(key ?? '') ?? written.numbers })}
        />
        <Select
          label={t('form.dates')}
          allowDeselect={false}
          data={dateChoices(written.date)}
          value={written.date ?? 'iso'}
          onChange={(pattern) => data.write({ date: pattern === 'iso' ? null : pattern })}
        />
      </div>
      <Select
        label={t('form.moments')}
        allowDeselect={false}
        data={momentChoices(written.datetime)}
        value={written.datetime ?? 'iso'}
        onChange={(pattern) => data.write({ datetime: pattern === 'iso' ? null : pattern })}
      />
      {number === null && day === null ? null : (
        <p className={classes.unclear} role="status">
          {number === null ? null : t('form.unclearNumber', { number })}{' '}
          {day === null ? null : t('form.unclear', { day })}
        </p>
      )}
      <ColumnWritings data={data} />
    </>
  )
}

function CsvFields({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { read, choose } = data
  return (
    <>
      <div className={classes.pair}>
        <Select
          label={t('form.delimiter')}
          allowDeselect={false}
          data={delimiters.map((one) => ({ value: one, label: t(`delimiters.${nameOf[one]}`) }))}
          value={read.delimiter}
          onChange={(value) => value && choose({ delimiter: value })}
        />
        <Select
          label={t('form.quote')}
          allowDeselect={false}
          data={quotes.map((one) => ({ value: one || noQuote, label: t(`quotes.${quoteName[one]}`) }))}
          value={read.quote || noQuote}
          onChange={(value) => value && choose({ quote: value === noQuote ? '' : value })}
        />
      </div>
      <div className={classes.pair}>
        <Select
          label={t('form.encoding')}
          allowDeselect={false}
          searchable
          data={encodings.map((one) => ({ value: one, label: t(`encodings.${one}`) }))}
          value={read.encoding}
          onChange={(value) => choose({ encoding: encodings.find((one) => one === value) ?? read.encoding })}
        />
        <Skipped data={data} />
      </div>
      <HeaderSwitch data={data} />
      {data.kind.compressed ? null : <WrittenFields data={data} />}
    </>
  )
}

function PlaceFields({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { read, choose, tables, sheets, recordPaths } = data
  if (read.format === 'xlsx') {
    return (
      <>
        <Select
          label={t('form.sheet')}
          allowDeselect={false}
          searchable={(sheets?.length ?? 0) > 12}
          data={sheets ?? []}
          placeholder={t('form.firstSheet')}
          value={read.sheet ?? sheets?.[0] ?? null}
          onChange={(sheet) => choose({ sheet })}
        />
        <Skipped data={data} />
        <HeaderSwitch data={data} />
      </>
    )
  }
  if (read.format === 'json') {
    if (recordPaths.length === 0) return null
    return (
      <Select
        label={t('form.records')}
        allowDeselect={false}
        data={[{ value: '', label: t('form.document') }, ...recordPaths]}
        value={read.records ?? ''}
        onChange={(path) => choose({ records: path === '' ? null : path })}
      />
    )
  }
  if (!tables || tables.length === 0) return null
  return (
    <Select
      label={t('form.table')}
      allowDeselect={false}
      searchable={tables.length > 12}
      data={tables}
      value={read.table}
      onChange={(table) => choose({ table })}
    />
  )
}

/** How the file is read, where the format leaves a choice. */
export function ReadFields({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const { read, choose } = data
  return (
    <>
      {read.format === 'csv' ? <CsvFields data={data} /> : <PlaceFields data={data} />}
      {mayQuarantine(read.format) ? (
        <Switch
          label={t('form.quarantine')}
          checked={read.quarantine}
          onChange={(event) => choose({ quarantine: event.currentTarget.checked })}
        />
      ) : null}
    </>
  )
}
