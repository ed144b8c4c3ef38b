import { Select, Skeleton, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AiReference,
  createAiReference,
  getAiReference,
  referenceKinds,
  updateAiReference,
} from '../../../contract/ai-references.ts'
import { call } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import classes from './ai-references.module.css'

type Values = Pick<AiReference, 'title' | 'kind' | 'content' | 'tags'>

const invalidates = ['listAiReferences', 'getAiReference', 'previewAiReferences'] as const

function useSave(reference: AiReference | null) {
  const create = useAction(createAiReference, { invalidates })
  const update = useSaveOver<AiReference, Values>({
    opened: reference,
    read: ({ id }) => call(getAiReference, { params: { id } }),
    held: ({ title, kind, content, tags }) => [title, kind, content, tags],
    put: ({ id }, body, headers) => call(updateAiReference, { params: { id }, body, headers }),
    invalidates,
  })
  return {
    error: create.error ?? update.error,
    busy: create.isPending || update.busy,
    theirs: update.theirs,
    settle: update.settle,
    save(body: Values, onSaved: (saved: AiReference) => void) {
      if (reference) update.save(body, onSaved)
      else create.mutate({ body }, { onSuccess: onSaved })
    },
  }
}

function ReferenceForm({ reference, onDone }: { reference: AiReference | null; onDone: () => void }) {
  const { t } = useTranslation('aiReferences')
  const { t: tUi } = useTranslation()
  const [values, setValues] = useState<Values>(reference ?? { title: '', kind: 'markdown', content: '', tags: [] })
  const [tried, setTried] = useState(false)
  const { error, busy, theirs, settle, save } = useSave(reference)
  // A reference that was loaded comes after the dialog has looked for its first field.
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const change = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }))
  const { title, kind, content, tags } = values
  const submit = () => {
    setTried(true)
    if (theirs || title.trim() === '' || content.trim() === '') return
    save({ title: title.trim(), kind, content, tags }, (saved) => {
      notifications.show({ message: t('form.saved', { title: saved.title }) })
      onDone()
    })
  }
  const wrong = (field: 'title' | 'content') => error?.detailFor(field)?.message
  const missing = (text: string) => (tried && text.trim() === '' ? tUi('form.required') : undefined)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap={12}>
        <TextInput
          ref={first}
          label={t('form.title')}
          withAsterisk
          maxLength={200}
          data-autofocus
          value={title}
          error={missing(title) ?? wrong('title')}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <Select
          label={t('form.kind')}
          description={t(`form.kindHint.${kind}`)}
          allowDeselect={false}
          value={kind}
          data={referenceKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={(next) => change({ kind: referenceKinds.find((one) => one === next) ?? kind })}
        />
        <Textarea
          label={t('form.content')}
          withAsterisk
          classNames={{ input: classes.content }}
          value={content}
          error={missing(content) ?? wrong('content')}
          onChange={(event) => change({ content: event.currentTarget.value })}
        />
        <TagsInput
          label={t('form.tags')}
          description={t('form.tagsHint')}
          maxTags={50}
          value={tags}
          onChange={(next) => change({ tags: next.map((tag) => tag.slice(0, 60)) })}
        />
        <DialogFoot
          error={error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setValues(theirs)
                settle()
              },
            }
          }
          submitLabel={t(reference ? 'form.save' : 'form.create')}
          busy={busy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

function Loaded({ id, onDone }: { id: number; onDone: () => void }) {
  const reference = useOperation(getAiReference, { params: { id } })
  if (reference.error)
    return <ErrorState what="ai-reference" error={reference.error} onRetry={() => void reference.refetch()} compact />
  if (!reference.data) return <Skeleton height={320} radius={0} />
  return <ReferenceForm reference={reference.data} onDone={onDone} />
}

/** Makes a reference (`id` null), or changes one. */
export function ReferenceDialog({ opened, id, onClose }: { opened: boolean; id: number | null; onClose: () => void }) {
  const { t } = useTranslation('aiReferences')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t(id === null ? 'form.create' : 'form.titleEdit')} size={640}>
      {id === null ? <ReferenceForm reference={null} onDone={onClose} /> : <Loaded key={id} id={id} onDone={onClose} />}
    </FormDialog>
  )
}
