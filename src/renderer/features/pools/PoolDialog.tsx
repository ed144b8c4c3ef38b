import { NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Pool, getPool, listPools, setPool } from '../../../contract/pools.ts'
import { call } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'

const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,62}$/

type Values = Pick<Pool, 'slots' | 'description'>

function useSave(pool: Pool | null) {
  const invalidates = ['listPools'] as const
  const create = useAction(setPool, { invalidates })
  const update = useSaveOver<Pool, Values>({
    opened: pool,
    read: ({ name }) => call(getPool, { params: { name } }),
    held: ({ slots, description }) => [slots, description],
    put: ({ name }, body, headers) => call(setPool, { params: { name }, body, headers }),
    invalidates,
  })
  return {
    error: create.error ?? update.error,
    busy: create.isPending || update.busy,
    theirs: update.theirs,
    settle: update.settle,
    save(name: string, body: Values, onSaved: (saved: Pool) => void) {
      if (pool) update.save(body, onSaved)
      // What the list does not know yet is not changed instead.
      else create.mutate({ params: { name }, body, headers: { 'if-none-match': '*' } }, { onSuccess: onSaved })
    },
  }
}

function PoolForm({ pool, onDone }: { pool: Pool | null; onDone: () => void }) {
  const { t } = useTranslation('pools')
  const { t: tUi } = useTranslation()
  const [name, setName] = useState(pool?.name ?? '')
  const [slots, setSlots] = useState<number | string>(pool?.slots ?? 4)
  const [description, setDescription] = useState(pool?.description ?? '')
  const [tried, setTried] = useState(false)
  const { error, busy, theirs, settle, save } = useSave(pool)
  const pools = useOperation(listPools)
  const nameWrong = !namePattern.test(name.trim())
  // It would be changed instead.
  const nameTaken = pool === null && pools.data?.some((one) => one.name === name.trim()) === true
  const submit = () => {
    setTried(true)
    if (nameWrong || nameTaken || theirs || typeof slots !== 'number') return
    const done = (saved: Pool) => {
      notifications.show({ message: t('form.saved', { name: saved.name }) })
      onDone()
    }
    const body = { slots, description: description.trim() || null }
    save(name.trim(), body, done)
  }
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
          label={t('form.name')}
          description={t('form.nameHint')}
          withAsterisk
          disabled={pool !== null}
          data-autofocus={pool === null || undefined}
          value={name}
          error={tried && nameWrong ? t('form.nameBad') : nameTaken && !busy ? t('form.nameTaken') : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput
          label={t('form.slots')}
          description={t('form.slotsHint')}
          withAsterisk
          size="xs"
          min={0}
          max={10_000}
          allowDecimal={false}
          data-autofocus={pool !== null || undefined}
          value={slots}
          error={tried && typeof slots !== 'number' ? tUi('form.required') : undefined}
          onChange={setSlots}
        />
        <TextInput
          label={t('form.description')}
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <DialogFoot
          error={error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setSlots(theirs.slots)
                setDescription(theirs.description ?? '')
                settle()
              },
            }
          }
          submitLabel={t(pool ? 'form.save' : 'form.create')}
          busy={busy}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

/** Makes a pool (`pool` null), or changes one. */
export function PoolDialog({ opened, pool, onClose }: { opened: boolean; pool: Pool | null; onClose: () => void }) {
  const { t } = useTranslation('pools')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={pool ? t('form.titleEdit', { name: pool.name }) : t('form.create')}
      size={420}
    >
      <PoolForm key={pool?.name ?? ''} pool={pool} onDone={onClose} />
    </FormDialog>
  )
}
