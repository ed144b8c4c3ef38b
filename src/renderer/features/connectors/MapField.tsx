import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import classes from './connectors.module.css'
import type { FieldSpec, MapEntry } from './schema-form.ts'

export interface MapFieldProps {
  field: FieldSpec
  entries: readonly MapEntry[]
  onChange: (entries: readonly MapEntry[]) => void
  error?: string
  disabled?: boolean
}

/** A map of texts, one line each: headers. */
export function MapField({ field, entries, onChange, error, disabled }: MapFieldProps) {
  const { t } = useTranslation('connectors')
  const box = useRef<HTMLDivElement>(null)
  const change = (at: number, changes: Partial<MapEntry>) =>
    onChange(entries.map((entry, index) => (index === at ? { ...entry, ...changes } : entry)))
  const add = () => {
    // At once: what is typed next belongs to the new line.
    flushSync(() => onChange([...entries, { name: '', value: '' }]))
    box.current?.querySelector<HTMLInputElement>('[data-last] input')?.focus()
  }
  const lines = entries.map((entry, index) => ({ ...entry, index }))
  return (
    <Input.Wrapper label={field.title} description={field.description} error={error} labelElement="div">
      <div ref={box} className={classes.entries} role="group" aria-label={field.title}>
        {lines.map((entry) => (
          <div
            key={entry.index}
            className={classes.entry}
            data-last={entry.index === entries.length - 1 ? '' : undefined}
          >
            <TextInput
              aria-label={t('map.name', { field: field.title, line: entry.index + 1 })}
              placeholder={t('map.namePlaceholder')}
              value={entry.name}
              disabled={disabled}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change(entry.index, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('map.value', { field: field.title, line: entry.index + 1 })}
              placeholder={t('map.valuePlaceholder')}
              value={entry.value}
              disabled={disabled}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change(entry.index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              aria-label={t('map.remove', { name: entry.name || String(entry.index + 1) })}
              disabled={disabled}
              onClick={() => onChange(entries.filter((_, at) => at !== entry.index))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
        ))}
        {disabled ? null : (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={13} />}
            onClick={add}
            style={{ justifySelf: 'start' }}
          >
            {t('map.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
