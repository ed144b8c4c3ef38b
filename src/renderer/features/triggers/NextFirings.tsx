import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ResultOf } from '../../../contract/operation.ts'
import { previewTrigger } from '../../../contract/triggers.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { TimedKind } from './trigger-draft.ts'
import classes from './triggers.module.css'
import { dateText } from '../../ui/format.ts'

interface Preview {
  type: TimedKind
  expression: string
  timezone: string
}

/** The next five firings of an expression, asked for while it is typed; `error` says what is wrong with it. */
export function useNextFirings({ type, expression, timezone }: Preview) {
  // The two go together: an expression is never asked for with the other type.
  const [settled] = useDebouncedValue(`${type} ${expression}`, 200)
  const asked = settled === `${type} ${expression}`
  const body = { type, cron_expression: expression, timezone, count: 5 }
  return useQuery<ResultOf<typeof previewTrigger>, ApiFailure>({
    queryKey: [previewTrigger.id, body],
    queryFn: ({ signal }) => call(previewTrigger, { body, signal }),
    enabled: asked && expression !== '',
    retry: false,
    staleTime: 30_000,
  })
}

interface NextFiringsProps {
  preview: ReturnType<typeof useNextFirings>
  zone: string
}

/** As clocks of the trigger's zone show them. */
export function NextFirings({ preview, zone }: NextFiringsProps) {
  const { t } = useTranslation('triggers')
  const firings = preview.data?.firings ?? []
  if (firings.length === 0) return <p className={classes.note}>{t('form.never')}</p>
  return (
    <ol className={classes.firings} aria-label={t('form.next')}>
      {firings.map((firing) => (
        <li key={firing.at}>
          <span>{dateText(new Date(firing.at), 'zonedMoment', zone)}</span>
          <span>
            <RelativeTime at={firing.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
