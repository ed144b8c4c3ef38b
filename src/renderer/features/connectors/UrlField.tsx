import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ReadUrl, readConnectionUrl } from './connection-url.ts'

interface UrlFieldProps {
  placeholder: string
  /** Why it can't be taken; undefined when it was. */
  onRead: (read: ReadUrl) => string | undefined
  disabled?: boolean
  /** What happens to it, where the type isn't chosen yet. */
  hint?: string
}

/** Takes a URL or DSN apart into the fields; nothing of it stays here, since it may carry a password. */
export function UrlField({ placeholder, onRead, disabled, hint }: UrlFieldProps) {
  const { t } = useTranslation('connectors')
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [remark, setRemark] = useState<string>()
  const take = (address: string) => {
    if (address.trim() === '') return
    const read = readConnectionUrl(address)
    const problem = read ? onRead(read) : t('url.unknown')
    setError(problem)
    if (problem !== undefined || !read) return
    setText('')
    setRemark(read.ignored.length > 0 ? t('url.ignored', { names: read.ignored.join(', ') }) : t('url.filled'))
  }
  return (
    <PasswordInput
      label={t('url.label')}
      description={remark ?? hint ?? t('url.hint')}
      autoComplete="off"
      spellCheck={false}
      disabled={disabled}
      placeholder={placeholder}
      visibilityToggleButtonProps={{ 'aria-label': t('secret.show') }}
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value)
        setError(undefined)
      }}
      onPaste={(event) => {
        event.preventDefault()
        const pasted = event.clipboardData.getData('text')
        setText(pasted)
        take(pasted)
      }}
      onBlur={() => take(text)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        take(text)
      }}
    />
  )
}
