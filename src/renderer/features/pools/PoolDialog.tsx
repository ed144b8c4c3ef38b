import { Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Pool, setPool } from '../../../contract/pools.ts'
import { useAction } from '../../api/queries.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'

const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,62}$/

function PoolForm({ pool, onDone }: { pool: Pool | null; onDone: () => void }) {
  const { t } = useTranslation('pools')
  const { t: tUi } = useTranslation()
  const save = useAction(setPool, { invalidates: ['listPools'] })
  const [name, setName] = useState(pool?.name ?? '')
  const [slots, setSlots] = useState<number | string>(pool?.slots ?? 4)
  const [description, setDescription] = useState(pool?.description ?? '')
  const [tried, setTried] = useState(false)
  const nameWrong = !namePattern.test(name.trim())
  const submit = () => {
    setTried(true)
    if (nameWrong || typeof slots !== 'number') return
    const done = (saved: Pool) => {
      notifications.show({ message: t('form.saved', { name: saved.name }) })
      onDone()
    }
    const body = { slots, description: description.trim() || null }
    save.mutate({ params: { name: name.trim() }, body }, { onSuccess: done })
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
          error={tried && nameWrong ? t('form.nameBad') : undefined}
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
        <DialogFoot error={save.error?.message} submitLabel={t('form.save')} busy={save.isPending} onCancel={onDone} />
      </Stack>
    </form>
  )
}

/** Makes a pool (`pool` null), or changes one. */
export function PoolDialog({ opened, pool, onClose }: { opened: boolean; pool: Pool | null; onClose: () => void }) {
  const { t } = useTranslation('pools')
  const { t: tUi } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<b>{pool ? t('form.titleEdit', { name: pool.name }) : t('form.titleNew')}</b>}
      size={420}
      closeButtonProps={{ 'aria-label': tUi('close') }}
    >
      <PoolForm key={pool?.name ?? ''} pool={pool} onDone={onClose} />
    </Modal>
  )
}
