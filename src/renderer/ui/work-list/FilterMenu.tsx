import { Button, Combobox, useCombobox } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toggled } from './list-address.rules.ts'
import classes from './work-list.module.css'
import type { FilterOption } from './work-list.types.ts'

interface FilterMenuProps {
  label: string
  options: readonly FilterOption[]
  chosen: readonly string[]
  single?: boolean
  /** Set where the server searches; otherwise the options are searched here. */
  search?: { text: string; onChange: (text: string) => void; nothing: ReactNode }
  onOpen?: () => void
  onChange: (chosen: string[]) => void
}

/** So many are seen at a glance. */
const withoutSearch = 8

/** A filter that takes several values: the button says which are chosen, the list stays open while more are chosen. */
export function FilterMenu({ label, options, chosen, single, search, onOpen, onChange }: FilterMenuProps) {
  const { t } = useTranslation('lists')
  const [text, setText] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => {
      onOpen?.()
      if (searched) combobox.focusSearchInput()
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setText('')
      search?.onChange('')
    },
  })
  const searched = search !== undefined || options.length > withoutSearch
  const shown =
    search || text === '' ? options : options.filter((one) => one.label.toLowerCase().includes(text.toLowerCase()))
  const names = chosen.map((value) => options.find((one) => one.value === value)?.label ?? value)
  const choose = (value: string) => {
    onChange(single ? (chosen.includes(value) ? [] : [value]) : toggled(chosen, value))
    if (single) combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} width={240} position="bottom-start" shadow="md" onOptionSubmit={choose}>
      <Combobox.Target targetType="button">
        <Button
          variant={chosen.length > 0 ? 'light' : 'default'}
          fw={400}
          className={classes.filter}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          onClick={() => combobox.toggleDropdown()}
        >
          {names.length === 0
            ? label
            : t(names.length === 1 ? 'filter.one' : 'filter.several', {
                label,
                value: names[0],
                count: names.length,
              })}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {searched ? (
          <Combobox.Search
            value={search?.text ?? text}
            placeholder={t('filter.search')}
            aria-label={t('filter.searchOf', { label })}
            onChange={(event) => (search?.onChange ?? setText)(event.currentTarget.value)}
          />
        ) : null}
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label={label}>
          {shown.map((one) => (
            <Combobox.Option key={one.value} value={one.value} active={chosen.includes(one.value)}>
              <span className={classes.option}>
                <IconCheck size={14} aria-hidden style={{ opacity: chosen.includes(one.value) ? 1 : 0 }} />
                <span className={classes.optionName}>{one.look ?? one.label}</span>
              </span>
            </Combobox.Option>
          ))}
          {shown.length === 0 ? <Combobox.Empty>{search?.nothing ?? t('filter.nothing')}</Combobox.Empty> : null}
        </Combobox.Options>
        {chosen.length > 0 ? (
          <Combobox.Footer>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange([])}>
              {t('filter.clear')}
            </Button>
          </Combobox.Footer>
        ) : null}
      </Combobox.Dropdown>
    </Combobox>
  )
}
