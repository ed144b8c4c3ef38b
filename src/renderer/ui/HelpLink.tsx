import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { errorCodes } from '../../contract/errors.ts'
import { useCommands } from '../commands/commands.ts'
import { paths } from '../paths.ts'
import { helpPlaceOf } from './help.rules.ts'
import { Hint } from './Hint.tsx'

interface HelpLinkProps {
  page: string
  anchor?: string | undefined
  label: string
}

/** A question mark beside something: leads to the section of the documentation that tells of it. */
export function HelpLink({ page, anchor, label }: HelpLinkProps) {
  return (
    <Hint label={label}>
      <ActionIcon component={Link} to={paths.docs(page, anchor)} variant="subtle" color="gray" aria-label={label}>
        <IconHelp size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Hint>
  )
}

/** What the documentation says of the page that is shown, as a link and a command. */
export function PageHelp() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const place = helpPlaceOf(pathname)
  useCommands([
    {
      id: 'page.help',
      title: t('help.page'),
      menu: 'help',
      icon: IconHelp,
      shortcut: 'F1',
      when: place !== null,
      run: () => void navigate(paths.docs(place?.page, place?.anchor)),
    },
  ])
  return place ? <HelpLink {...place} label={t('help.page')} /> : null
}

/** Leads from an error answer of the server to what its code means; nothing where there is no entry. */
export function ErrorCodeLink({ code }: { code: string }) {
  const { t } = useTranslation()
  if (code !== 'NETWORK' && !Object.hasOwn(errorCodes, code)) return null
  return <Link to={paths.docs('troubleshooting', code.toLowerCase())}>{t('help.error')}</Link>
}

/** The code of a run that failed, which leads to what it means: to its reason where that is known. */
export function RunErrorLink({ code, reason }: { code: string; reason?: unknown }) {
  const { t } = useTranslation()
  const place = typeof reason === 'string' ? `reason-${reason}` : code.toLowerCase()
  return (
    <Link to={paths.docs('run-errors', place)} title={t('help.code', { code })}>
      <code>{code}</code>
    </Link>
  )
}
