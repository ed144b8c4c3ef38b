import { Select, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './incoming.module.css'
import type { DataChoice } from './use-data-choice.ts'
import { columnChoices, writingKey, writingOf } from './written-choices.ts'

/** Nobody goes through more one by one; the rest is said in the draft. */
const most = 200

/** Columns that are written in another way than their file. */
export function ColumnWritings({ data }: { data: DataChoice }) {
  const { t } = useTranslation('incoming')
  const [open, setOpen] = useState(false)
  const id = useId()
  const { columns } = data.read.written
  const own = Object.keys(columns).length
  // A name that is there twice is another one in the table.
  const names = data.columnNames.filter((name, at, all) => name !== '' && all.indexOf(name) === all.lastIndexOf(name) && at < most)
  const groups = { number: t('form.groupNumber'), date: t('form.groupDate'), datetime: t('form.groupMoment') }
  const Icon = open ? IconChevronDown : IconChevronRight
  if (names.length === 0) return null
  return (
    <div>
      <UnstyledButton className={classes.fold} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon size={14} aria-hidden />
        {own === 0 ? t('form.columns') : t('form.columnsOwn', { count: own })}
      </UnstyledButton>
      {open ? (
        <ul id={id} className={classes.columns}>
          {names.map((name) => (
            <li key={name}>
              <span title={name}>{name}</span>
              <Select
                aria-label={t('form.columnLabel', { name })}
                allowDeselect={false}
                size="xs"
                data={[
                  { value: 'auto', label: t('form.asFile') },
                  { value: 'text', label: t('form.asText') },
                  ...columnChoices(groups, columns[name]),
                ]}
                value={columns[name] ? writingKey(columns[name]) : 'auto'}
                onChange={(key) => data.writeColumn(name, key === null || key === 'auto' ? null : writingOf(key))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
