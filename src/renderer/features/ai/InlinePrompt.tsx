import { TextInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../../ui/Kbd.tsx'
import classes from './ai.module.css'

interface InlinePromptProps {
  /** The only part that may change. */
  path: string
  /** Which model is asked, and what leaves the machine. */
  where: string
  onAsk: (prompt: string) => void
  onClose: () => void
}

/** One line in the text: what is to become of the part at the caret. */
export function InlinePrompt({ path, where, onAsk, onClose }: InlinePromptProps) {
  const { t } = useTranslation('ai')
  const [prompt, setPrompt] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <form
      className={classes.inline}
      aria-label={t('part.change')}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (prompt.trim() !== '') onAsk(prompt.trim())
      }}
    >
      <TextInput
        ref={field}
        size="xs"
        aria-label={t('part.prompt', { path })}
        placeholder={t('part.prompt', { path })}
        leftSection={<IconSparkles size={13} aria-hidden />}
        maxLength={20_000}
        value={prompt}
        onChange={(event) => setPrompt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      />
      <div className={classes.inlineFoot}>
        <span className={classes.faint}>{where}</span>
        <span className={classes.inlineKeys}>
          <Kbd keys="enter" /> {t('part.send')} <Kbd keys="escape" /> {t('part.close')}
        </span>
      </div>
    </form>
  )
}
