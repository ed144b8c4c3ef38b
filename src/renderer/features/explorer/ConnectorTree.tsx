import { Loader } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connector, listResources } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { LoadFailure } from '../../ui/LoadFailure.tsx'
import { numberText } from '../../ui/format.ts'
import { SearchField } from '../../ui/Toolbar.tsx'
import { EnvironmentMark } from '../connectors/EnvironmentMark.tsx'
import { ConnectorIcon } from '../connectors/type-looks.tsx'
import { ResourceNode } from './ResourceNode.tsx'
import classes from './explorer.module.css'
import type { useConnectors } from './use-connectors.ts'

/** Entries that are drawn of one connector: the others are found by the search. */
const mostShown = 500

interface ConnectorTreeProps {
  list: ReturnType<typeof useConnectors>
  onQuery: (connector: Connector) => void
  /** `resource` as the list of resources names it. */
  onResource: (connector: Connector, resource: string) => void
}

const levelOf = (entry: HTMLElement) => Number(entry.getAttribute('aria-level'))

/** Moves between the entries of the tree by arrow keys; Enter presses the one where the keyboard stands. */
function moveIn(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')]
  const at = entries.findIndex((entry) => entry === document.activeElement)
  const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }
  const entry = entries[at]
  const next = moves[event.key]
  const expanded = entry?.getAttribute('aria-expanded')
  if (next !== undefined) entries[Math.max(0, Math.min(entries.length - 1, next))]?.focus()
  else if (event.key === 'ArrowRight' && expanded === 'false')
    entry?.querySelector<HTMLElement>('[data-toggle]')?.click()
  else if (event.key === 'ArrowLeft' && expanded === 'true') entry?.querySelector<HTMLElement>('[data-toggle]')?.click()
  else if (event.key === 'ArrowLeft' && entry)
    entries
      .slice(0, at)
      .findLast((one) => levelOf(one) < levelOf(entry))
      ?.focus()
  else if (event.key === 'Enter') entry?.querySelector<HTMLElement>('[data-open]')?.click()
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Connectors that can be asked, and what they hold. */
export function ConnectorTree(props: ConnectorTreeProps) {
  const { t } = useTranslation('explorer')
  const [q, setQ] = useState('')
  const { list } = props
  const { connectors } = list
  return (
    <>
      <div className={classes.bar}>
        <SearchField value={q} onChange={setQ} label={t('tree.search')} width={200} />
      </div>
      {list.error ? <LoadFailure text={t('tree.failed')} error={list.error} onRetry={list.retry} /> : null}
      <div className={classes.tree} role="tree" tabIndex={-1} aria-label={t('tree.label')} onKeyDown={moveIn}>
        {connectors.map((connector, index) => (
          <ConnectorNode key={connector.id} connector={connector} q={q} first={index === 0} {...props} />
        ))}
        {!list.isLoading && connectors.length === 0 ? <p className={classes.noConnectors}>{t('tree.empty')}</p> : null}
      </div>
    </>
  )
}

function ConnectorNode({
  connector,
  q,
  first,
  onQuery,
  onResource,
}: Omit<ConnectorTreeProps, 'list'> & { connector: Connector; q: string; first: boolean }) {
  const { t } = useTranslation('explorer')
  const [unfolded, setUnfolded] = useState(false)
  /** The search in which somebody has folded it. */
  const [folded, setFolded] = useState('')
  // A search looks into all of them.
  const opened = q === '' ? unfolded : folded !== q
  const setOpened = (next: boolean) => (q === '' ? setUnfolded(next) : setFolded(next ? '' : q))
  const { name, environment } = connector
  const toggle = useRef<HTMLButtonElement>(null)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <>
      <div
        className={classes.node}
        role="treeitem"
        aria-level={1}
        aria-expanded={opened}
        aria-selected={false}
        tabIndex={first ? 0 : -1}
      >
        <button
          ref={toggle}
          type="button"
          data-toggle
          tabIndex={-1}
          className={classes.toggle}
          aria-label={opened ? t('tree.collapse', { name }) : t('tree.expand', { name })}
          onClick={() => setOpened(!opened)}
        >
          <Chevron size={13} aria-hidden />
        </button>
        <button
          type="button"
          data-open
          tabIndex={-1}
          className={classes.entry}
          title={name}
          onClick={() => (opened ? onQuery(connector) : setOpened(true))}
          onDoubleClick={() => onQuery(connector)}
        >
          <ConnectorIcon type={connector.type} size={14} />
          <span className={classes.entryName}>{name}</span>
          {environment === 'development' ? null : (
            <span className={classes.environment}>
              <EnvironmentMark environment={environment} />
            </span>
          )}
        </button>
      </div>
      {opened ? (
        <Resources connector={connector} q={q} onResource={(resource) => onResource(connector, resource)} />
      ) : null}
    </>
  )
}

function Resources({
  connector,
  q,
  onResource,
}: {
  connector: Connector
  q: string
  onResource: (resource: string) => void
}) {
  const { t } = useTranslation('explorer')
  const list = useOperation(
    listResources,
    { params: { id: connector.id }, query: { q: q || undefined } },
    { keepPrevious: true, staleTime: 30_000 },
  )
  if (list.isPending) return <Loader size={12} ml={30} my={6} role="status" aria-label={t('tree.loading')} />
  if (list.error)
    return (
      <p className={classes.note} role="alert">
        {list.error.message}
      </p>
    )
  const { resources, truncated } = list.data
  if (resources.length === 0) return <p className={classes.note}>{q ? t('tree.noMatch') : t('tree.nothing')}</p>
  return (
    <>
      {resources.slice(0, mostShown).map((resource) => (
        <ResourceNode key={resource.name} connector={connector} resource={resource} onOpen={onResource} />
      ))}
      {truncated || resources.length > mostShown ? (
        <p className={classes.note}>{t('tree.more', { most: numberText(Math.min(mostShown, resources.length)) })}</p>
      ) : null}
    </>
  )
}
