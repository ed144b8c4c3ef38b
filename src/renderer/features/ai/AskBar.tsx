import { Button, Group, Textarea } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './ai.module.css'

interface AskBarProps {
  where: string
  possible: boolean
  busy: boolean
  /** What is sent is being made up. */
  showing: boolean
  onShow: () => void
  onCancel: () => void
  start: { label: string; again: boolean; onClick?: () => void }
}

/** Which model is asked, what leaves the machine, and the button that asks; without `onClick` it submits its form. */
export function AskBar({ where, possible, busy, showing, onShow, onCancel, start }: AskBarProps) {
  const { t } = useTranslation('ai')
  const { t: tUi } = useTranslation()
  return (
    <Group justify="space-between" gap={8}>
      <span className={classes.faint}>{where}</span>
      <Group gap={8} ml="auto">
        <Button variant="default" disabled={!possible} loading={showing} onClick={onShow}>
          {t('panel.show')}
        </Button>
        {busy ? (
          <Button variant="default" onClick={onCancel}>
            {tUi('form.cancel')}
          </Button>
        ) : (
          <Button
            data-autofocus={start.onClick ? true : undefined}
            type={start.onClick ? 'button' : 'submit'}
            variant={start.again ? 'default' : 'filled'}
            disabled={!possible}
            leftSection={<IconSparkles size={14} />}
            onClick={start.onClick}
          >
            {start.label}
          </Button>
        )}
      </Group>
    </Group>
  )
}

interface PromptProps {
  label: string
  placeholder: string
  rows: number
  value: string
  onChange: (value: string) => void
  onAsk: () => void
}

/** Ctrl-Enter asks. */
export function Prompt({ onChange, onAsk, ...field }: PromptProps) {
  return (
    <Textarea
      {...field}
      data-autofocus
      maxLength={20_000}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        onAsk()
      }}
    />
  )
}
