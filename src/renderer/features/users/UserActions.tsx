import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDeviceDesktopOff,
  IconDots,
  IconPassword,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { MenuEntry } from '../../ui/MenuEntry.tsx'
import { type Given, GivenOnce } from './GivenOnce.tsx'
import { useUserDeed } from './use-user-deed.ts'
import { type UserAct, reasonAgainst } from './user-acts.ts'
import classes from './users.module.css'
import { useOpening } from '../../ui/use-opening.ts'

const icons: Readonly<Record<UserAct, TablerIcon>> = {
  givePassword: IconPassword,
  resetFactor: IconShieldOff,
  endSessions: IconDeviceDesktopOff,
  disable: IconUserOff,
  enable: IconUserCheck,
  remove: IconTrash,
}

/** What is done to a user as a whole. What is refused says why instead of vanishing. */
export function UserActions({ user, onRemoved }: { user: User; onRemoved: () => void }) {
  const { t } = useTranslation('users')
  const opening = useOpening()
  const { me } = useSession()
  const [asking, setAsking] = useState<UserAct | null>(null)
  const [given, setGiven] = useState<Given | null>(null)
  const name = user.username
  const deed = useUserDeed({
    onGiven: (password) => setGiven({ username: name, password, isNew: false }),
    onRemoved,
  })
  const acts: UserAct[] = ['givePassword', 'resetFactor', 'endSessions', user.disabled ? 'enable' : 'disable', 'remove']
  const shown = acts.map((act) => ({ act, reason: reasonAgainst(act, me.user, user) }))
  useCommands(
    shown.map(({ act, reason }) => ({
      id: `user-${act}`,
      title: opening(t(`acts.${act}`)),
      icon: icons[act],
      when: reason === null,
      needsServer: true,
      run: () => setAsking(act),
    })),
  )
  const close = () => {
    deed.reset()
    setAsking(null)
  }
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon aria-label={t('acts.more')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {shown.map(({ act, reason }) => {
            const Icon = icons[act]
            return (
              <MenuEntry
                key={act}
                needsServer
                disabled={reason !== null}
                className={reason ? classes.refused : undefined}
                leftSection={<Icon size={15} aria-hidden />}
                onClick={() => setAsking(act)}
              >
                {opening(t(`acts.${act}`))}
                {reason ? <span className={classes.reason}>{t(`against.${reason}`)}</span> : null}
              </MenuEntry>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking !== null}
        title={asking ? t(`confirm.${asking}.title`, { name }) : ''}
        text={asking ? t(`confirm.${asking}.text`) : ''}
        confirmLabel={asking ? t(`acts.${asking}`) : ''}
        danger={asking !== 'enable'}
        busy={deed.isPending}
        error={deed.error?.message}
        onClose={close}
        onConfirm={() => {
          if (asking) deed.mutate({ act: asking, user }, { onSuccess: close })
        }}
      />
      <GivenOnce given={given} onClose={() => setGiven(null)} />
    </>
  )
}
