import { MultiSelect, Stack, TagsInput } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TagChange, mostTags } from '../../../contract/documents.ts'
import { DialogFoot } from '../DialogFoot.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { numberText } from '../format.ts'
import { tagCounts } from './tags.rules.ts'

interface TagDialogProps {
  records: readonly { tags: readonly string[] }[]
  /** Of the list: their tags are offered. */
  listed: readonly { tags: readonly string[] }[]
  onSubmit: (change: TagChange) => void
  onClose: () => void
}

const longestTag = 60

/** Which tags several records get, and which they lose; the others stay. */
export function TagDialog({ records, listed, onSubmit, onClose }: TagDialogProps) {
  const { t } = useTranslation('lists')
  const [add, setAdd] = useState<string[]>([])
  const [remove, setRemove] = useState<string[]>([])
  const [tried, setTried] = useState(false)
  const known = useMemo(() => tagCounts([...records, ...listed]).map(({ tag }) => tag), [records, listed])
  const present = useMemo(
    () =>
      tagCounts(records).map(({ tag, count }) => ({
        value: tag,
        label: count === records.length ? tag : `${tag} (${numberText(count)})`,
      })),
    [records],
  )
  const nothing = add.length + remove.length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!nothing) onSubmit({ add, remove })
  }
  const { length: count } = records
  return (
    <FormDialog opened size={420} title={t('tags.title', { count, formatted: numberText(count) })} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={12}>
          <TagsInput
            label={t('tags.add')}
            description={t('tags.addHint')}
            data={known.filter((tag) => !remove.includes(tag))}
            maxTags={mostTags}
            maxDropdownHeight={220}
            acceptValueOnBlur
            // The list would cover what is below before anything was typed.
            openOnFocus={false}
            data-autofocus
            value={add}
            error={tried && nothing ? t('tags.nothing') : undefined}
            onChange={(tags) =>
              setAdd([...new Set(tags.map((tag) => tag.trim().slice(0, longestTag)))].filter(Boolean))
            }
          />
          {present.length > 0 ? (
            <MultiSelect
              label={t('tags.remove')}
              data={present.filter(({ value }) => !add.includes(value))}
              maxDropdownHeight={220}
              searchable
              hidePickedOptions
              nothingFoundMessage={t('filter.nothing')}
              value={remove}
              onChange={setRemove}
            />
          ) : null}
          <DialogFoot error={undefined} submitLabel={t('tags.submit')} busy={false} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}
