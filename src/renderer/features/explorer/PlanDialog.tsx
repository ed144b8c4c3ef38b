import { Checkbox, Loader, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connector } from '../../../contract/connectors.ts'
import { type QueryPlan, explainQuery, explainable } from '../../../contract/explain.ts'
import { call } from '../../api/client.ts'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { numberText } from '../../ui/format.ts'
import { QueryFailure } from './QueryFailure.tsx'
import { depthsOf } from './plan.rules.ts'
import classes from './plan.module.css'
import type { Asked } from './use-query.ts'

interface PlanDialogProps {
  connector: Connector
  asked: Asked
  onClose: () => void
}

/** How the system would run a query, or has run it now. */
export function PlanDialog({ connector, asked, onClose }: PlanDialogProps) {
  const { t } = useTranslation('explorer')
  const id = useId()
  const [analyze, setAnalyze] = useState(false)
  const [side, setSide] = useState<'tree' | 'raw'>('tree')
  const plan = useQuery({
    queryKey: ['explorer-plan', id, analyze],
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => call(explainQuery, { params: { id: connector.id }, body: { ...asked, analyze }, signal }),
  })
  const { data, error } = plan
  return (
    <Modal
      opened
      size={960}
      onClose={onClose}
      title={<b>{t('plan.title')}</b>}
      closeButtonProps={{ 'aria-label': t('plan.close') }}
    >
      <Stack gap={12}>
        {explainable[connector.type]?.analyze ? (
          <Checkbox
            label={t('plan.measure')}
            description={t('plan.measureHint')}
            checked={analyze}
            onChange={(event) => setAnalyze(event.currentTarget.checked)}
          />
        ) : null}
        {plan.isPending ? (
          <div role="status" className={classes.loading}>
            <Loader size={14} aria-hidden /> {t('plan.loading')}
          </div>
        ) : null}
        {error ? <QueryFailure error={error} /> : null}
        {data ? (
          <PaneTabs
            id="explorer-plan"
            label={t('plan.title')}
            tabs={[
              { id: 'tree', label: t('plan.tree') },
              { id: 'raw', label: t('plan.raw') },
            ]}
            active={side}
            onChange={setSide}
          >
            {side === 'raw' ? (
              <ScrollRegion label={t('plan.raw')} className={classes.scroll}>
                <pre className={classes.raw}>{data.raw}</pre>
              </ScrollRegion>
            ) : data.nodes.length === 0 ? (
              <p>{t('plan.empty')}</p>
            ) : (
              <PlanTree plan={data} />
            )}
          </PaneTabs>
        ) : null}
      </Stack>
    </Modal>
  )
}

const figure = (value: number | null) => (value === null ? '' : numberText(Math.round(value * 1000) / 1000))

function PlanTree({ plan }: { plan: QueryPlan }) {
  const { t } = useTranslation('explorer')
  const { nodes, time_includes_children } = plan
  const depths = depthsOf(nodes)
  const has = (key: 'rows' | 'actual_rows' | 'cost' | 'time_ms') => nodes.some((node) => node[key] !== null)
  const longest = Math.max(0, ...nodes.map(({ time_ms }) => time_ms ?? 0))
  return (
    <ScrollRegion label={t('plan.tree')} className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plan.step')}</th>
            {has('rows') ? <th data-number>{t('plan.rows')}</th> : null}
            {has('actual_rows') ? <th data-number>{t('plan.actual')}</th> : null}
            {has('cost') ? <th data-number>{t('plan.cost')}</th> : null}
            {has('time_ms') ? <th data-number>{time_includes_children ? t('plan.timeAll') : t('plan.time')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ node, detail, rows, actual_rows, cost, time_ms }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- their order is what they are
            <tr key={at}>
              <td style={{ paddingLeft: 8 + (depths[at] ?? 0) * 18 }}>
                <b>{node}</b>
                {detail.map((line) => (
                  <div key={line} className={classes.detail}>
                    {line}
                  </div>
                ))}
              </td>
              {has('rows') ? <td data-number>{figure(rows)}</td> : null}
              {has('actual_rows') ? <td data-number>{figure(actual_rows)}</td> : null}
              {has('cost') ? <td data-number>{figure(cost)}</td> : null}
              {has('time_ms') ? (
                <td data-number>
                  {time_ms === null ? '' : `${figure(time_ms)} ms`}
                  {time_ms !== null && longest > 0 ? (
                    <div className={classes.share} style={{ width: `${(100 * time_ms) / longest}%` }} />
                  ) : null}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
