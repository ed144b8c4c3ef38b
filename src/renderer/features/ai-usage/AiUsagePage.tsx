import { Button, Skeleton } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type AiUsageGroup, type AiUsageReport, getAiUsage } from '../../../contract/ai-usage.ts'
import type { ResultOf } from '../../../contract/operation.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { TimeChart } from '../../ui/TimeChart.tsx'
import { dateText, listText, numberText, percentText, roughText } from '../../ui/format.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { UsageTable } from './UsageTable.tsx'
import classes from './ai-usage.module.css'
import { useCostText } from './cost-text.ts'
import { seriesOf } from './usage-chart.rules.ts'

type State = ResultOf<typeof getAiUsage>

const useReport = (...group_by: AiUsageGroup[]) => useOperation(getAiUsage, { query: { group_by } }, { staleTime: 0 })

/** Calls, tokens, and cost of the last 30 days: of everyone for admins, of oneself for others. */
export function AiUsagePage() {
  const reports = [useReport('day', 'model'), useReport('model'), useReport('user')] as const
  const failed = reports.find(({ error, data }) => error && !data)
  const [byDay, byModel, byUser] = reports.map(({ data }) => data)
  const retry = () => reports.forEach(({ refetch }) => void refetch())
  return (
    <SettingsPage>
      {failed?.error ? <ErrorState what="ai-usage" error={failed.error} onRetry={retry} /> : null}
      {!failed && !(byDay && byModel && byUser) ? <Skeleton height={120} radius={0} /> : null}
      {byDay?.report && byModel?.report && byUser?.report ? (
        <Usage state={byDay} byDay={byDay.report} byModel={byModel.report} byUser={byUser.report} />
      ) : null}
    </SettingsPage>
  )
}

interface UsageProps {
  state: State
  byDay: AiUsageReport
  byModel: AiUsageReport
  byUser: AiUsageReport
}

/** Without a provider nothing can be used: the way to one stands where the usage would. */
function NotConfigured() {
  const { t } = useTranslation('aiUsage')
  const { can } = useSession()
  const may = can('updateServerConfig')
  return (
    <EmptyState
      icon={IconSparkles}
      title={t('off.title')}
      text={t(may ? 'off.text' : 'off.notYours')}
      action={may ? <Configure main /> : null}
    />
  )
}

function Configure({ main }: { main?: true }) {
  const { t } = useTranslation('aiUsage')
  return (
    <Button
      component={Link}
      to={paths.settings('configuration', { find: 'ai.' })}
      {...(main ? {} : { variant: 'default', size: 'compact-sm' })}
    >
      {t('configure')}
    </Button>
  )
}

function Usage({ state, byDay, byModel, byUser }: UsageProps) {
  const { t } = useTranslation('aiUsage')
  const { total, everyone, currency } = byDay
  if (!state.configured && total.calls === 0) return <NotConfigured />
  return (
    <div className={classes.page}>
      <Today state={state} report={byDay} />
      {total.calls === 0 ? (
        <EmptyState icon={IconSparkles} title={t('empty.title')} text={t('empty.text')} compact />
      ) : (
        <>
          <Days report={byDay} />
          <UsageTable
            title={t('byModel')}
            first={t('columns.model')}
            rows={byModel.groups}
            currency={currency}
            nameOf={(row) => (row.model === '' ? t('unknownModel') : (row.model ?? ''))}
            noteOf={(row) => row.host ?? ''}
          />
          {everyone ? (
            <UsageTable
              title={t('byPerson')}
              first={t('columns.person')}
              rows={byUser.groups}
              currency={currency}
              nameOf={(row) => row.username ?? t('unknownPerson', { id: row.user_id })}
            />
          ) : null}
          <Notes report={byDay} />
        </>
      )}
    </div>
  )
}

function Today({ state, report }: { state: State; report: AiUsageReport }) {
  const { t } = useTranslation('aiUsage')
  const { tokens, daily_tokens: limit, requests } = state
  const share = limit === 0 ? 0 : Math.min(1, tokens / limit)
  const used =
    limit === 0
      ? t('tokens', { text: numberText(tokens) })
      : t('ofBudget', { used: numberText(tokens), limit: numberText(limit) })
  return (
    <section className={classes.today} aria-label={t('today')}>
      <h2>{t(limit === 0 ? 'today' : 'todayBudget')}</h2>
      <p>
        <b>{used}</b>
        <span>{t('calls', { count: requests })}</span>
      </p>
      {limit === 0 ? (
        <small>{t('noLimit')}</small>
      ) : (
        <>
          <div
            className={classes.meter}
            role="meter"
            aria-label={t('todayBudget')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(share * 100)}
            aria-valuetext={percentText(share)}
            data-tone={share >= 1 ? 'full' : share >= 0.8 ? 'near' : undefined}
          >
            <i style={{ width: `${share * 100}%` }} />
          </div>
          <small>{t(share >= 1 ? 'budgetSpent' : 'budgetText', { share: percentText(share) })}</small>
        </>
      )}
      {report.everyone ? null : <small>{t('own')}</small>}
    </section>
  )
}

function Days({ report }: { report: AiUsageReport }) {
  const { t } = useTranslation('aiUsage')
  const { days, series } = seriesOf(report)
  const { total, currency } = report
  const cost = useCostText()(total, currency ?? '')
  const sum = [t('tokens', { text: numberText(total.input_tokens + total.output_tokens) }), cost]
  return (
    <section className={classes.section} aria-label={t('days')}>
      <h2>
        {t('days')} <span>{sum.filter(Boolean).join(' · ')}</span>
      </h2>
      <TimeChart
        label={t('chart')}
        kind="bars"
        times={days.map((day) => ({
          short: dateText(new Date(`${day}T12:00`), 'dayAndMonth'),
          full: dateText(new Date(`${day}T12:00`), 'weekdayAndDay'),
        }))}
        series={series.map(({ model, values }, at) => ({
          name: model === null ? t('otherModels') : model || t('unknownModel'),
          color: `var(--hg-chart-${at + 1})`,
          values,
        }))}
        format={roughText}
      />
    </section>
  )
}

/** What the figures don’t say by themselves. */
function Notes({ report }: { report: AiUsageReport }) {
  const { t } = useTranslation('aiUsage')
  const { can } = useSession()
  const { currency, unpriced_models: unpriced, total } = report
  return (
    <div className={classes.notes}>
      {currency === null ? <p>{t('noPrices')}</p> : <p>{t('prices')}</p>}
      {unpriced.length > 0 ? <p>{t('unpriced', { count: unpriced.length, models: listText(unpriced) })}</p> : null}
      {total.estimated_calls > 0 ? <p>{t('estimated', { count: total.estimated_calls })}</p> : null}
      {can('updateServerConfig') ? <Configure /> : null}
    </div>
  )
}
