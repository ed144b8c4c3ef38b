import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Hint } from './Hint.tsx'

/** A small button that copies a text and says so. */
export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  const words = clipboard.copied ? t('copied') : (label ?? t('copy'))
  return (
    <Hint label={words} stays>
      <ActionIcon size={22} aria-label={words} onClick={() => clipboard.copy(value)}>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Hint>
  )
}
