import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AiReferencePart, previewAiReferences } from '../../../contract/ai-references.ts'
import { useAction } from '../../api/queries.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import classes from './ai-references.module.css'
import { bytesText } from '../../ui/time.ts'
import { type Place, bodyOf, bytesOf, foldedText, placesOf } from './part-text.rules.ts'

function Part({ part, place }: { part: AiReferencePart; place: Place | null }) {
  const { t } = useTranslation('aiReferences')
  const [open, setOpen] = useState(false)
  const text = bodyOf(part)
  const folded = foldedText(text)
  return (
    <li>
      <div className={classes.partHead}>
        <b>{part.heading || part.title}</b>
        <span>{part.complete ? t('preview.complete') : place ? t('preview.place', { ...place }) : null}</span>
      </div>
      <pre>{open ? text : (folded ?? text)}</pre>
      {folded === null ? null : (
        <Button
          variant="default"
          size="compact-xs"
          mt={6}
          leftSection={open ? <IconChevronUp size={13} /> : <IconChevronDown size={13} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'preview.less' : 'preview.more')}
        </Button>
      )}
    </li>
  )
}

/** What a prompt would use: of the chosen references, or of all. */
export function PreviewDialog({ ids, onClose }: { ids: readonly number[] | null; onClose: () => void }) {
  const { t } = useTranslation('aiReferences')
  const { t: tUi } = useTranslation()
  const [prompt, setPrompt] = useState('')
  const preview = useAction(previewAiReferences)
  const parts = preview.data?.parts
  const places = placesOf(parts ?? [])
  const submit = () => {
    if (prompt.trim() === '' || ids === null) return
    preview.mutate({ body: { prompt, ...(ids.length > 0 && { reference_ids: [...ids] }) } })
  }
  return (
    <Modal
      opened={ids !== null}
      onClose={onClose}
      size={720}
      title={<b>{t('preview.title')}</b>}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap={12}>
          <Textarea
            label={t('preview.prompt')}
            description={ids && ids.length > 0 ? t('preview.ofChosen', { count: ids.length }) : t('preview.ofAll')}
            rows={3}
            maxLength={20_000}
            data-autofocus
            value={prompt}
            onChange={(event) => setPrompt(event.currentTarget.value)}
          />
          <Group justify="space-between" wrap="nowrap">
            <div role="status" className={classes.found}>
              {parts ? t('preview.found', { count: parts.length, size: bytesText(bytesOf(parts)) }) : null}
              {preview.data && preview.data.indexing > 0
                ? ` · ${t('preview.indexing', { count: preview.data.indexing })}`
                : null}
            </div>
            <Button type="submit" loading={preview.isPending} disabled={prompt.trim() === ''} flex="none">
              {t('preview.show')}
            </Button>
          </Group>
          {preview.error ? <ErrorState error={preview.error} compact /> : null}
          {parts && parts.length > 0 ? (
            <ScrollRegion label={t('preview.parts')} className={classes.parts}>
              <ul>
                {parts.map((part, at) => (
                  // Two parts of one section have the same heading.
                  <Part key={`${part.reference_id}:${part.text}`} part={part} place={places[at] ?? null} />
                ))}
              </ul>
            </ScrollRegion>
          ) : null}
        </Stack>
      </form>
    </Modal>
  )
}
