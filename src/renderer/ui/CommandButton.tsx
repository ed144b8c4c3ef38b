import { Button, type ButtonProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { type Command, useCommands } from '../commands/commands.ts'
import { Hint } from './Hint.tsx'
import { useOpening } from './use-opening.ts'
import { useUnreachable } from './use-unreachable.ts'

export interface CommandButtonProps
  extends Omit<ButtonProps, 'leftSection'>, Pick<Command, 'id' | 'group' | 'shortcut' | 'also' | 'keywords' | 'when'> {
  label: string
  /** Where its word needs more beside the page's other commands: `Revoke the key`. */
  title?: string
  icon?: TablerIcon
  /** Disabled while the server can’t be reached. */
  needsServer?: boolean
  /** What it does in more words, or why it cannot. */
  hint?: string | undefined
  /** A dialog, which its label and title then tell. */
  opens?: boolean
  /** An address instead of a deed. */
  to?: string
  onClick?: () => void
}

/** A button of a page that is a command as well: found in the palette and the desktop's menu, and done by its keys. */
export function CommandButton(props: CommandButtonProps) {
  const {
    id,
    label,
    title = label,
    icon: Icon,
    hint,
    opens,
    to,
    onClick,
    group,
    shortcut,
    also,
    keywords,
    when = true,
    needsServer = false,
    ...given
  } = props
  const opening = useOpening()
  const named = (text: string) => (opens ? opening(text) : text)
  const unreachable = useUnreachable()
  const lacks = needsServer ? unreachable : undefined
  const button = { ...given, disabled: given.disabled === true || lacks !== undefined }
  const navigate = useNavigate()
  const run = () => {
    // The keys stay claimed while it works: Ctrl-S must not fall through to the browser.
    if (button.loading) return
    if (to === undefined) onClick?.()
    else void navigate(to)
  }
  useCommands([
    {
      id,
      title: named(title),
      when: when && !button.disabled,
      run,
      ...(group ? { group } : {}),
      ...(Icon ? { icon: Icon } : {}),
      ...(shortcut ? { shortcut } : {}),
      ...(also ? { also } : {}),
      ...(keywords ? { keywords } : {}),
    },
  ])
  const shared = { ...button, leftSection: Icon ? <Icon size={14} aria-hidden /> : undefined, children: named(label) }
  return (
    <Hint label={lacks ?? hint} command={id}>
      {to === undefined || button.disabled ? (
        <Button {...shared} onClick={run} />
      ) : (
        <Button {...shared} component={Link} to={to} />
      )}
    </Hint>
  )
}
