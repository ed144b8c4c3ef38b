import { IconKey } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../../contract/audit.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { Cut, CutWith } from '../../ui/Cut.tsx'
import { orDash } from '../../ui/nothing.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Status } from '../../ui/status.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './audit.module.css'
import { entityName, operationName } from './audit-words.ts'

export const outcomeLook: Readonly<Record<AuditRecord['outcome'], Status>> = {
  ok: 'ok',
  refused: 'completed',
  failed: 'failed',
}

function Who({ record }: { record: AuditRecord }) {
  const { t } = useTranslation('audit')
  if (record.actor === 'system') return <span className={classes.muted}>{t('actor.system')}</span>
  if (!record.username) return <span className={classes.muted}>{t('actor.anonymous')}</span>
  return (
    <CutWith text={record.username}>
      {record.actor === 'api_key' ? (
        <span title={t('byKey')}>
          <IconKey size={13} className={classes.key} role="img" aria-label={t('byKey')} />
        </span>
      ) : null}
    </CutWith>
  )
}

function What({ record: { entity, entity_id: id, entity_name: name } }: { record: AuditRecord }) {
  // Of sign-ins and bundles the entity is only where they were sent to.
  if (!entity || (!id && !name)) return orDash(null)
  const kind = `${entityName(entity)}${id ? ` #${id}` : ''}`
  if (!name) return <span className={classes.muted}>{kind}</span>
  return (
    <span className={classes.record} title={`${name} (${kind})`}>
      <span>
        <Cut text={name} />
      </span>
      <span className={classes.muted}>{kind}</span>
    </span>
  )
}

export function useAuditColumns(): TableColumn<AuditRecord>[] {
  const { t } = useTranslation('audit')
  return useMemo(
    () => [
      {
        id: 'at',
        header: t('columns.at'),
        width: 148,
        sortable: true,
        largestFirst: true,
        cell: (row) => <AbsoluteTime at={row.at} seconds="brief" />,
      },
      { id: 'who', header: t('columns.who'), width: 88, cell: (row) => <Who record={row} /> },
      {
        id: 'operation',
        header: t('columns.operation'),
        minWidth: 186,
        cell: (row) => (
          <span title={row.operation}>
            {row.outcome === 'ok' ? null : (
              <span className={classes.outcome}>
                <StatusBadge status={outcomeLook[row.outcome]} label={t(`outcome.${row.outcome}`)} />
              </span>
            )}
            {operationName(row.operation)}
          </span>
        ),
      },
      {
        id: 'record',
        header: t('columns.record'),
        // Where it has less, the outcome is in the operation: names are what is looked for.
        minWidth: 136,
        grow: 2,
        cell: (row) => <What record={row} />,
      },
      {
        id: 'outcome',
        yields: 1,
        header: t('columns.outcome'),
        uncut: true,
        width: 108,
        cell: (row) => (
          <StatusBadge
            status={outcomeLook[row.outcome]}
            label={row.outcome === 'ok' ? t('outcome.ok') : `${t(`outcome.${row.outcome}`)} ${row.status || ''}`.trim()}
          />
        ),
      },
      {
        id: 'address',
        yields: 2,
        header: t('columns.address'),
        width: 104,
        mono: true,
        cell: (row) => row.address,
      },
      {
        id: 'request',
        header: t('detail.call'),
        width: 220,
        mono: true,
        hidden: true,
        cell: (row) => (row.method ? `${row.method} ${row.path ?? ''}` : null),
      },
      {
        id: 'agent',
        header: t('detail.agent'),
        width: 200,
        hidden: true,
        cell: (row) => row.user_agent && <span title={row.user_agent}>{row.user_agent}</span>,
      },
    ],
    [t],
  )
}
