import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import classes from './Toolbar.module.css'
import { useTight } from './use-tight.ts'

/** Filters left, counts and view options right. Stands in `Page toolbar`, or above a pane. */
export function Toolbar({ children, right, wrap }: { children?: ReactNode; right?: ReactNode; wrap?: boolean }) {
  const bar = useRef<HTMLDivElement>(null)
  useTight(bar)
  return (
    <div ref={bar} className={wrap ? `${classes.toolbar} ${classes.wrap}` : classes.toolbar} role="toolbar">
      {children}
      {right ? <div className={classes.right}>{right}</div> : null}
    </div>
  )
}

export interface SearchFieldProps {
  value: string
  onChange: (value: string) => void
  label: string
  width?: number
  /** Pixels it becomes as narrow as, in a row, before what stands beside it takes a second line. */
  yields?: number
  /** Milliseconds of stillness before onChange is called. */
  delay?: number
}

/** A search field: `/` puts the cursor into it, Esc empties it. */
export function SearchField({ value, onChange, label, width = 240, yields, delay = 200 }: SearchFieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const report = useDebouncedCallback(onChange, delay)
  useEffect(() => setText(value), [value])
  useCommands([
    {
      id: 'search',
      title: label,
      menu: 'edit',
      icon: IconSearch,
      shortcut: '/',
      also: 'mod+f',
      run: () => input.current?.select(),
    },
  ])
  const change = (next: string) => {
    setText(next)
    report(next)
  }
  return (
    <TextInput
      ref={input}
      w={width}
      {...(yields && { style: { flex: `1 1 min(${yields}px, var(--search-least, ${yields}px))`, maxWidth: width } })}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text) {
          event.stopPropagation()
          change('')
        }
      }}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        text ? <CloseButton size="xs" aria-label={t('clearSearch')} onClick={() => change('')} /> : undefined
      }
    />
  )
}
