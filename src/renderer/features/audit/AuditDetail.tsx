import { Button, CloseButton } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../../contract/audit.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { absoluteTime } from '../../ui/time.ts'
import classes from './audit.module.css'
import type { AddressChange } from '../../ui/use-address.ts'
import { outcomeLook } from './audit-columns.tsx'
import { entityName, operationName, operationSummary } from './audit-words.ts'

function Digest({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code className={classes.hash}>{value}</code>
        <CopyIcon value={value} />
      </dd>
    </>
  )
}

function useFacts(record: AuditRecord): [string, ReactNode][] {
  const { t } = useTranslation('audit')
  const { t: shell } = useTranslation('shell')
  const { actor, role, method, path } = record
  const by = [
    record.session_id === null ? null : t('detail.session', { id: record.session_id }),
    record.api_key_id === null ? null : t('detail.apiKey', { id: record.api_key_id }),
  ].filter((one) => one !== null)
  const all: [string, ReactNode][] = [
    [t('detail.id'), String(record.id)],
    [t('detail.at'), absoluteTime(new Date(record.at))],
    [t('detail.who'), `${record.username || t(`actor.${actor}`)}${role ? ` (${shell(`user.role.${role}`)})` : ''}`],
    [t('detail.by'), by.join(', ') || t(`actor.${actor}`)],
    [t('detail.from'), record.address],
    [t('detail.agent'), record.user_agent],
    [t('detail.operation'), <code key="operation">{record.operation}</code>],
    [t('detail.call'), method ? <code key="call">{`${method} ${path ?? ''}`}</code> : null],
    [t('detail.answer'), [record.status || null, record.error].filter(Boolean).join(' ')],
    [t('detail.request'), record.request_id ? <code key="request">{record.request_id}</code> : null],
  ]
  return all.filter(([, value]) => value !== null && value !== '')
}

interface AuditDetailProps {
  record: AuditRecord
  onFilter: (change: AddressChange) => void
  onClose: () => void
}

/** All that one record says, and the way to others like it. */
export function AuditDetail({ record, onFilter, onClose }: AuditDetailProps) {
  const { t } = useTranslation('audit')
  const facts = useFacts(record)
  const { entity, entity_id: entityId, user_id: userId, before_digest: before, after_digest: after } = record
  const summary = operationSummary(record.operation)
  return (
    <ScrollRegion label={t('detail.label')} className={classes.detail}>
      <div className={classes.detailHead}>
        <h2 className={classes.heading}>
          {operationName(record.operation)}
          <StatusBadge status={outcomeLook[record.outcome]} size="md" label={t(`outcome.${record.outcome}`)} />
        </h2>
        <CloseButton size="sm" aria-label={t('detail.close')} title={t('detail.close')} onClick={onClose} />
      </div>
      {summary ? <p className={classes.muted}>{summary}</p> : null}
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {entity && (entityId !== null || record.entity_name) ? (
          <>
            <dt>{t('detail.record')}</dt>
            <dd>
              {[entityName(entity), entityId ? `#${entityId}` : null, record.entity_name].filter(Boolean).join(' ')}
            </dd>
          </>
        ) : null}
        <Digest name={t('detail.hash')} value={record.hash} />
      </dl>
      <div className={classes.buttons}>
        {entity && entityId !== null ? (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconFilter size={13} />}
            onClick={() => onFilter({ entity, entity_id: String(entityId) })}
          >
            {t('detail.ofRecord')}
          </Button>
        ) : null}
        {userId === null ? null : (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconFilter size={13} />}
            onClick={() => onFilter({ user_id: String(userId) })}
          >
            {t('detail.ofUser')}
          </Button>
        )}
      </div>
      {before === null && after === null ? null : (
        <>
          <h3 className={classes.subheading}>{t('detail.digests')}</h3>
          <p className={classes.muted}>{before === after ? t('detail.unchanged') : t('detail.digestsText')}</p>
          <dl className={classes.facts}>
            <Digest name={t('detail.before')} value={before} />
            <Digest name={t('detail.after')} value={after} />
          </dl>
        </>
      )}
    </ScrollRegion>
  )
}
