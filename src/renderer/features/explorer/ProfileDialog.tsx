import { Button, Loader, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ColumnProfile,
  type ProfileValue,
  profileColumn,
  profiledTypes,
} from '../../../contract/column-profile.ts'
import type { Connector } from '../../../contract/connectors.ts'
import { call } from '../../api/client.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { numberText, percentText } from '../../ui/format.ts'
import { CellText } from '../../ui/grid/GridCell.tsx'
import { QueryFailure } from './QueryFailure.tsx'
import { profileOf } from './profile.rules.ts'
import classes from './profile.module.css'
import type { ShownResult } from './use-query.ts'
import { mostFirstRows } from './use-first-rows.ts'

interface ProfileDialogProps {
  connector: Connector
  result: ShownResult
  /** Number of the column. */
  field: number
  onClose: () => void
}

/** `loaded`: over the rows that the window reads, rather than those of the system. */
interface Profiled {
  profile: Omit<ColumnProfile, 'statements'>
  statements: readonly string[]
  loaded: boolean
}

/** What the values of a column are: counted by the system over all rows, or in the window over the first ones. Closing it stops the count. */
export function ProfileDialog({ connector, result, field, onClose }: ProfileDialogProps) {
  const { t } = useTranslation('explorer')
  const id = useId()
  const bySystem = profiledTypes.includes(connector.type)
  const [loaded, setLoaded] = useState(!bySystem)
  const { queryId, rows, fields } = result
  const described = fields[field]
  const query = useQuery({
    queryKey: ['explorer-profile', id, loaded],
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Profiled> => {
      if (!described) throw new Error(`No column ${field}`)
      if (loaded) {
        const read = await rows.load(0, mostFirstRows - 1)
        return { profile: profileOf(read, field, described), statements: [], loaded }
      }
      const params = { id: connector.id, queryId }
      const { statements, ...profile } = await call(profileColumn, { params, body: { field }, signal })
      return { profile, statements, loaded }
    },
  })
  const { data, error } = query
  const { count, complete } = rows.state
  return (
    <Modal
      opened
      size={620}
      onClose={onClose}
      title={<b>{t('profile.title', { name: described?.name ?? '' })}</b>}
      closeButtonProps={{ 'aria-label': t('profile.close') }}
    >
      <Stack gap={12}>
        {query.isPending ? (
          <div role="status" className={classes.loading}>
            <Loader size={14} aria-hidden /> {t(loaded ? 'profile.reading' : 'profile.counting')}
            <Button size="compact-xs" variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </div>
        ) : null}
        {error ? (
          <>
            <QueryFailure error={error} />
            {loaded ? null : (
              <Button variant="default" onClick={() => setLoaded(true)} style={{ alignSelf: 'flex-start' }}>
                {t('profile.useLoaded')}
              </Button>
            )}
          </>
        ) : null}
        {data ? (
          <>
            <p className={classes.basis}>
              {!data.loaded
                ? t('profile.bySystem')
                : complete && count <= mostFirstRows
                  ? t('profile.byWindow')
                  : t('profile.byWindowPart', { formatted: numberText(data.profile.rows) })}
            </p>
            <Figures profile={data.profile} />
            <Top profile={data.profile} />
            {data.statements.length > 0 ? (
              <details className={classes.statements}>
                <summary>{t('profile.statements')}</summary>
                <ScrollRegion label={t('profile.statements')} className={classes.scroll}>
                  <pre>{data.statements.join(';\n\n')}</pre>
                </ScrollRegion>
              </details>
            ) : null}
          </>
        ) : null}
      </Stack>
    </Modal>
  )
}

const shareOf = (part: number, of: number): string => {
  // Rounded down: 100 % is all. Few are not none.
  return part > 0 && part / of < 0.01 ? `< ${percentText(0.01)}` : percentText(part / of)
}

function Figures({ profile }: { profile: Profiled['profile'] }) {
  const { t } = useTranslation('explorer')
  const { rows, nulls, distinct, ordered, min, max } = profile
  const part = (count: number) => (rows > 0 ? ` · ${shareOf(count, rows)}` : '')
  return (
    <dl className={classes.figures}>
      <dt>{t('profile.rows')}</dt>
      <dd>{numberText(rows)}</dd>
      <dt>{t('profile.nulls')}</dt>
      <dd>
        {numberText(nulls)}
        {part(nulls)}
      </dd>
      <dt>{t('profile.distinct')}</dt>
      <dd>
        {numberText(distinct)}
        {distinct > 0 && distinct === rows - nulls ? ` · ${t('profile.unique')}` : ''}
      </dd>
      {ordered ? (
        <>
          <dt>{t('profile.min')}</dt>
          <dd>
            <Shown value={min} />
          </dd>
          <dt>{t('profile.max')}</dt>
          <dd>
            <Shown value={max} />
          </dd>
        </>
      ) : null}
    </dl>
  )
}

function Shown({ value }: { value: ProfileValue | null }) {
  const { t } = useTranslation('explorer')
  if (value === null) return <span className={classes.none}>{t('profile.noValue')}</span>
  return (
    <span className={classes.value}>
      <CellText value={value.value} type={value.type} />
      {value.cut ? '…' : ''}
    </span>
  )
}

function Top({ profile: { top, rows } }: { profile: Profiled['profile'] }) {
  const { t } = useTranslation('explorer')
  if (top.length === 0) return null
  const most = top[0]?.rows ?? 1
  return (
    <ScrollRegion label={t('profile.top')} className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('profile.top')}</th>
            <th data-number>{t('profile.rows')}</th>
            <th data-number>{t('profile.share')}</th>
          </tr>
        </thead>
        <tbody>
          {top.map(({ value, rows: count }) => (
            <tr key={JSON.stringify(value.value)}>
              <td>
                <Shown value={value} />
                <div className={classes.bar} style={{ width: `${(100 * count) / most}%` }} />
              </td>
              <td data-number>{numberText(count)}</td>
              <td data-number>{shareOf(count, rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
