import { CloseButton } from '@mantine/core'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Static } from 'typebox'
import type { AuditVerification } from '../../../contract/audit.ts'
import classes from './audit.module.css'
import { numberText } from '../../ui/format.ts'

interface VerifyNoticeProps {
  result: Static<typeof AuditVerification>
  onClose: () => void
}

/** Whether the log is whole, in words. */
export function VerifyNotice({ result, onClose }: VerifyNoticeProps) {
  const { t } = useTranslation('audit')
  const Icon = result.ok ? IconShieldCheck : IconShieldX
  return (
    <div className={classes.verdict} data-ok={result.ok || undefined} role={result.ok ? 'status' : 'alert'}>
      <Icon size={16} aria-hidden />
      <div>
        <b>
          {result.ok
            ? t('verify.intact', { count: result.records })
            : result.first_broken_id === null
              ? t('verify.broken')
              : t('verify.brokenAt', { id: numberText(result.first_broken_id) })}
        </b>{' '}
        {result.ok ? t('verify.intactText') : result.reason}
        {result.ok && result.head ? <code className={classes.hash}>{result.head}</code> : null}
      </div>
      <CloseButton size="xs" aria-label={t('verify.close')} onClick={onClose} />
    </div>
  )
}
