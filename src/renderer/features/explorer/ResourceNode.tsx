import { Loader } from '@mantine/core'
import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconChevronDown,
  IconChevronRight,
  IconEye,
  IconFile,
  IconKey,
  IconListSearch,
  IconStack2,
  IconTable,
  IconTableShare,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connector, type ResourceSummary, getResource } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { numberText } from '../../ui/format.ts'
import classes from './explorer.module.css'

const icons = { table: IconTable, view: IconEye, file: IconFile, collection: IconStack2, entity_set: IconTableShare }

interface ResourceNodeProps {
  connector: Connector
  resource: ResourceSummary
  /** `name` as the list of resources has it. */
  onOpen: (name: string) => void
}

/** A table or file, and below it what it is made of. */
export function ResourceNode({ connector, resource, onOpen }: ResourceNodeProps) {
  const [opened, setOpened] = useState(false)
  const Icon = icons[resource.kind]
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <>
      <div
        className={classes.node}
        role="treeitem"
        aria-level={2}
        aria-expanded={opened}
        aria-selected={false}
        tabIndex={-1}
      >
        {/* The arrow keys do the same; its state is that of the entry. */}
        <button
          type="button"
          data-toggle
          data-inner
          tabIndex={-1}
          aria-hidden
          className={classes.toggle}
          onClick={() => setOpened(!opened)}
        >
          <Chevron size={12} aria-hidden />
        </button>
        <button
          type="button"
          data-open
          tabIndex={-1}
          className={classes.entry}
          data-small
          title={resource.name}
          onClick={() => onOpen(resource.name)}
        >
          <Icon size={13} stroke={1.6} aria-hidden />
          <span className={classes.entryName}>{resource.name}</span>
          {resource.row_estimate === null ? null : (
            <span className={classes.estimate}>{numberText(resource.row_estimate)}</span>
          )}
        </button>
      </div>
      {opened ? <Parts connectorId={connector.id} name={resource.name} onOpen={onOpen} /> : null}
    </>
  )
}

function Parts({ connectorId, name, onOpen }: { connectorId: number; name: string; onOpen: (name: string) => void }) {
  const { t } = useTranslation('explorer')
  const detail = useOperation(getResource, { params: { id: connectorId, name } }, { staleTime: 60_000 })
  if (detail.isPending) return <Loader size={12} ml={52} my={4} role="status" aria-label={t('tree.loading')} />
  if (detail.error)
    return (
      <p className={classes.note} role="alert">
        {detail.error.message}
      </p>
    )
  const { columns, indexes, foreign_keys = [], referenced_by = [] } = detail.data
  return (
    <>
      {columns.map((column) => (
        <Part key={column.name} title={`${column.name} · ${column.type}`}>
          {column.primary_key ? <IconKey size={12} role="img" aria-label={t('tree.primaryKey')} /> : <i />}
          <span className={classes.entryName}>{column.name}</span>
          <span className={classes.estimate}>{column.type}</span>
        </Part>
      ))}
      {indexes.map((index) => (
        <Part key={`index ${index.name}`} title={`${index.name} (${index.columns.join(', ')})`}>
          <IconListSearch size={12} role="img" aria-label={t(index.unique ? 'tree.uniqueIndex' : 'tree.index')} />
          <span className={classes.entryName}>{index.name}</span>
          <span className={classes.estimate}>{index.columns.join(', ')}</span>
        </Part>
      ))}
      {foreign_keys.map(({ table, columns: own, references }) => (
        <Part
          key={`to ${table} ${own.join(' ')}`}
          title={t('tree.refersTo', { table, columns: own.join(', '), references: references.join(', ') })}
          onOpen={() => onOpen(table)}
        >
          <IconArrowUpRight size={12} role="img" aria-label={t('tree.to')} />
          <span className={classes.entryName}>{table}</span>
          <span className={classes.estimate}>{own.join(', ')}</span>
        </Part>
      ))}
      {referenced_by.map(({ table, columns: other, references }) => (
        <Part
          key={`from ${table} ${other.join(' ')}`}
          title={t('tree.referredBy', { table, columns: other.join(', '), references: references.join(', ') })}
          onOpen={() => onOpen(table)}
        >
          <IconArrowDownLeft size={12} role="img" aria-label={t('tree.from')} />
          <span className={classes.entryName}>{table}</span>
          <span className={classes.estimate}>{other.join(', ')}</span>
        </Part>
      ))}
    </>
  )
}

function Part({ title, onOpen, children }: { title: string; onOpen?: () => void; children: ReactNode }) {
  return (
    <div className={classes.node} role="treeitem" aria-level={3} aria-selected={false} tabIndex={-1} title={title}>
      {onOpen ? (
        <button type="button" data-open data-part tabIndex={-1} className={classes.entry} onClick={onOpen}>
          {children}
        </button>
      ) : (
        <span className={classes.entry} data-part>
          {children}
        </span>
      )}
    </div>
  )
}
