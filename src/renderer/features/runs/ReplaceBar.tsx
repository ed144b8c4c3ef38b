import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './rejects.module.css'

interface ReplaceBarProps {
  columns: readonly { at: number; name: string }[]
  onReplace(column: number, find: string, by: string): void
}

/** Replaces a text in all cells of one column. */
export function ReplaceBar({ columns, onReplace }: ReplaceBarProps) {
  const { t } = useTranslation('runs')
  const [column, setColumn] = useState<string | null>(null)
  const [find, setFind] = useState('')
  const [by, setBy] = useState('')
  return (
    <form
      className={classes.replace}
      aria-label={t('fix.replaceLabel')}
      onSubmit={(event) => {
        event.preventDefault()
        if (column !== null) onReplace(Number(column), find, by)
      }}
    >
      <Select
        size="xs"
        className={classes.replaceField}
        placeholder={t('fix.column')}
        aria-label={t('fix.column')}
        searchable={columns.length > 12}
        data={columns.map(({ at, name }) => ({ value: String(at), label: name }))}
        value={column}
        onChange={setColumn}
      />
      <TextInput
        size="xs"
        className={classes.replaceField}
        placeholder={t('fix.find')}
        aria-label={t('fix.find')}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        className={classes.replaceField}
        placeholder={t('fix.by')}
        aria-label={t('fix.by')}
        value={by}
        onChange={(event) => setBy(event.currentTarget.value)}
      />
      <Button size="compact-sm" variant="default" type="submit" disabled={column === null}>
        {t('fix.replace')}
      </Button>
    </form>
  )
}
