import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { testAi } from '../../../contract/ai.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { translateMessage } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './ai.module.css'

/** Asks the provider, as it is saved, for a word. */
export function AiTest() {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const test = useAction(testAi, { invalidates: ['getAiUsage'] })
  const { data, error, isPending } = test
  if (!can('testAi')) return null
  return (
    <div className={classes.test}>
      <Button variant="default" loading={isPending} onClick={() => test.mutate({})}>
        {t('test.run')}
      </Button>
      <Link to={paths.settings('ai-usage')}>{t('test.usage')}</Link>
      <span role="status">
        {error ? <StatusBadge status="failed" label={error.message} /> : null}
        {data?.ok === true ? (
          <StatusBadge status="success" label={t('test.ok', { host: data.host, model: data.model })} />
        ) : null}
        {data && data.message !== null ? (
          <StatusBadge
            status="failed"
            label={translateMessage({ code: data.code ?? '', params: data.params, message: data.message })}
          />
        ) : null}
      </span>
    </div>
  )
}
