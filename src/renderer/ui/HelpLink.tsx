import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorCodes } from '../../contract/errors.ts'
import { paths } from '../paths.ts'

/** A question mark beside a title: leads to the section of the documentation that tells of it. */
export function HelpLink({ page, anchor, topic }: { page: string; anchor?: string; topic: string }) {
  const { t } = useTranslation('docs')
  const label = t('help.about', { topic })
  return (
    <Tooltip label={label}>
      <ActionIcon
        component={Link}
        to={paths.docs(page, anchor)}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
      >
        <IconHelp size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Leads from an error answer of the server to what its code means; nothing where there is no entry. */
export function ErrorCodeLink({ code }: { code: string }) {
  const { t } = useTranslation('docs')
  if (code !== 'NETWORK' && !Object.hasOwn(errorCodes, code)) return null
  return <Link to={paths.docs('troubleshooting', code.toLowerCase())}>{t('help.code', { code })}</Link>
}

/** The same for the code of a run that failed. */
export function RunErrorLink({ code }: { code: string }) {
  const { t } = useTranslation('docs')
  return <Link to={paths.docs('run-errors', code.toLowerCase())}>{t('help.code', { code })}</Link>
}
