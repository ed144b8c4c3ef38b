import { Button, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { auditOutcomes } from '../../../contract/audit.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { SpanFilter } from '../../ui/work-list/SpanFilter.tsx'
import { anyFilter } from '../runs/run-filters.ts'
import { UserFilter } from './UserFilter.tsx'
import type { AuditFilters } from './audit-filters.ts'
import { entityName, operationName } from './audit-words.ts'
import { compareNames } from '../../ui/format.ts'

export interface AuditFilterBarProps {
  filters: AuditFilters
  total: number | undefined
  onChange(change: { [K in keyof AuditFilters]?: AuditFilters[K] | null }): void
  onClear(): void
}

const recorded = Object.values<Operation>(operations)
  .filter((op) => op.audited ?? op.method !== 'GET')
  .map((op) => op.id)

/** Every operation that is recorded, and the one of the address: what the server does by itself has names of its own. */
const operationChoices = (chosen: string | undefined) =>
  [...new Set([...recorded, ...(chosen ? [chosen] : [])])]
    .map((value) => ({ value, label: operationName(value) }))
    .toSorted((a, b) => compareNames(a.label, b.label))

export function AuditFilterBar({ filters, total, onChange, onClear }: AuditFilterBarProps) {
  const { t } = useTranslation('audit')
  const { entity, entity_id: entityId } = filters
  const noun = entityName(entity ?? '')
  const recordName = entityId ? `${noun} #${entityId}` : noun
  return (
    <Toolbar right={total === undefined ? null : <span role="status">{t('count', { count: total })}</span>}>
      <SearchField
        value={filters.q ?? ''}
        onChange={(q) => onChange({ q: q || null })}
        label={t('filters.search')}
        width={180}
      />
      <UserFilter value={filters.user_id} onChange={(id) => onChange({ user_id: id })} />
      <Select
        w={180}
        aria-label={t('filters.operation')}
        placeholder={t('filters.anyOperation')}
        data={operationChoices(filters.operation)}
        value={filters.operation ?? null}
        searchable
        clearable
        nothingFoundMessage={t('filters.noOperation')}
        onChange={(value) => onChange({ operation: value })}
      />
      <Select
        w={150}
        aria-label={t('filters.outcome')}
        placeholder={t('filters.anyOutcome')}
        data={auditOutcomes.map((value) => ({ value: value as string, label: t(`outcome.${value}`) }))}
        value={filters.outcome ?? null}
        clearable
        onChange={(value) => onChange({ outcome: auditOutcomes.find((one) => one === value) ?? null })}
      />
      <SpanFilter span={filters} onChange={({ last = null, from = null, to = null }) => onChange({ last, from, to })} />
      {entity ? (
        <Button
          variant="light"
          fw={400}
          rightSection={<IconX size={12} />}
          aria-label={t('filters.dropRecord', { name: recordName })}
          onClick={() => onChange({ entity: null, entity_id: null })}
        >
          {recordName}
        </Button>
      ) : null}
      {anyFilter(filters) ? (
        <CommandButton
          id="list.clear-filters"
          label={t('filters.clearAll')}
          variant="subtle"
          color="gray"
          onClick={onClear}
          shortcut="shift+f"
        />
      ) : null}
    </Toolbar>
  )
}
