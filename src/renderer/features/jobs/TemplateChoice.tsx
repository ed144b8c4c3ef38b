import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { useOperation } from '../../api/queries.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { GalleryList } from '../../ui/GalleryList.tsx'
import { numberText } from '../../ui/format.ts'
import { useNoOptions } from '../../ui/no-options.ts'
import classes from './jobs.module.css'

/** More are searched for, so that ten thousand templates cost no more than these. */
const shown = 50

interface TemplateChoiceProps {
  onChoose(id: number): void
  onClose(): void
}

/** The templates that a job can be created from, in view from the start: searched by the server, the first one marked. */
export function TemplateChoice({ onChoose, onClose }: TemplateChoiceProps) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const [text, setText] = useState('')
  const [picked, pick] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  // Also when the list comes after the dialog, or again after a template.
  useEffect(() => field.current?.focus(), [])
  const [q] = useDebouncedValue(text.trim(), 150)
  const found = useOperation(
    listJobTemplates,
    { query: { limit: shown, sort: 'name', order: 'asc', ...(q ? { q } : {}) } },
    { keepPrevious: true },
  )
  const noOptions = useNoOptions()
  const templates = found.data?.result ?? []
  const items = templates.map(({ id, name, description, task_count: count }) => ({
    id: String(id),
    title: name,
    description: [t('new.tasks', { count, formatted: numberText(count) }), description].filter(Boolean).join(' · '),
  }))
  const marked = items.find(({ id }) => id === picked) ?? items[0]
  const total = found.data?.total ?? 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // What the list shows until the search is answered isn't what was asked for.
        if (marked && q === text.trim() && !found.isPlaceholderData) onChoose(Number(marked.id))
      }}
    >
      <TextInput
        ref={field}
        data-autofocus
        type="search"
        label={t('new.template')}
        description={t('new.text')}
        placeholder={t('new.search')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      <div className={classes.choices}>
        {found.error && !found.data ? (
          <ErrorState what="job-templates" compact error={found.error} onRetry={() => void found.refetch()} />
        ) : items.length === 0 ? (
          <p className={classes.muted} role="status">
            {noOptions(found, q !== '', t('list.noTemplate'))}
          </p>
        ) : (
          <GalleryList
            label={t('new.templates')}
            groups={[
              {
                id: 'templates',
                label:
                  total > items.length ? t('new.first', { count: items.length, formatted: numberText(total) }) : '',
                items,
              },
            ]}
            chosen={marked?.id ?? null}
            onChoose={pick}
            onUse={(id) => onChoose(Number(id))}
          />
        )}
      </div>
      <DialogWays>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        <Button type="submit" disabled={!marked}>
          {t('new.continue')}
        </Button>
      </DialogWays>
    </form>
  )
}
