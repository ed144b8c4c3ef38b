import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import classes from './users.module.css'

export interface Given {
  username: string
  password: string
  /** The account was just made. */
  isNew: boolean
}

/** The password that somebody is given, shown once: nothing but the button closes it. */
export function GivenOnce({ given, onClose }: { given: Given | null; onClose: () => void }) {
  const { t } = useTranslation('users')
  const { username: name = '', password = '' } = given ?? {}
  return (
    <Modal
      opened={given !== null}
      onClose={onClose}
      closeOnEscape={false}
      withCloseButton={false}
      title={<b>{given?.isNew ? t('made.title', { name }) : t('made.given', { name })}</b>}
      size={440}
    >
      <Text size="sm">{t('made.text')}</Text>
      <dl className={classes.given}>
        <dt>{t('made.username')}</dt>
        <dd>
          <code>{name}</code>
          <CopyIcon value={name} />
        </dd>
        <dt>{t('made.password')}</dt>
        <dd>
          <code data-testid="given-password">{password}</code>
          <CopyIcon value={password} label={t('form.copyPassword')} />
        </dd>
      </dl>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('made.done')}
        </Button>
      </Group>
    </Modal>
  )
}
