import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconFileSearch, IconFolderOpen } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { desktopBridge } from '../desktop-bridge.ts'
import { Hint } from './Hint.tsx'

export interface PathInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  kind: 'file' | 'folder'
  value: string
  onChange: (path: string) => void
}

/** A path. In the desktop's window a button opens the system's dialog; in a browser it is typed. */
export function PathInput({ kind, value, onChange, ...input }: PathInputProps) {
  const { t } = useTranslation()
  const bridge = desktopBridge()
  const label = kind === 'folder' ? t('chooseFolder') : t('chooseFile')
  const choose = async () => {
    const [path] = (await bridge?.openFile({ kind, start_path: value || undefined })) ?? []
    if (path) onChange(path)
  }
  return (
    <TextInput
      {...input}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        bridge ? (
          <Hint label={label}>
            <ActionIcon size={24} aria-label={label} onClick={() => void choose()} disabled={input.disabled}>
              {kind === 'folder' ? <IconFolderOpen size={15} /> : <IconFileSearch size={15} />}
            </ActionIcon>
          </Hint>
        ) : undefined
      }
    />
  )
}
