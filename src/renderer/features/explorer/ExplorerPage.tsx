import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { Connector } from '../../../contract/connectors.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../ui/Page.tsx'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { useLeaving } from '../../ui/use-leaving.ts'
import { ConnectorTree } from './ConnectorTree.tsx'
import { DiscardDialog } from './DiscardDialog.tsx'
import { HistoryPane } from './HistoryPane.tsx'
import { PresetsPane } from './PresetsPane.tsx'
import { QueryTab } from './QueryTab.tsx'
import classes from './explorer.module.css'
import { tabOfEntry } from './history.rules.ts'
import { NoTabs, TabBar } from './TabBar.tsx'
import { lookOfPreset } from './result-look.rules.ts'
import { mayWrite, queryOf } from './statements.rules.ts'
import { type ExplorerTab, useTabs } from './tabs.ts'
import { useConnectors } from './use-connectors.ts'

/** Query any connected system: what there is on the left, queries in tabs on the right. */
export function ExplorerPage() {
  const { t } = useTranslation('explorer')
  const { me } = useSession()
  const tabs = useTabs(me.user.id)
  const [sideTab, setSideTab] = useState<'data' | 'presets' | 'history'>('data')
  /** Tabs that run their query as soon as they are drawn. */
  const [begun, setBegun] = useState<ReadonlySet<string>>(new Set())
  /** Changes that wait for their review, by tab; closing it would lose them. */
  const [staged] = useState(() => new Map<string, number>())
  const [closing, setClosing] = useState<string | null>(null)
  const leaving = useLeaving(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && [...staged.values()].some((count) => count > 0),
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if ([...staged.values()].some((count) => count > 0)) event.preventDefault()
    }
    globalThis.addEventListener('beforeunload', warn)
    return () => globalThis.removeEventListener('beforeunload', warn)
  }, [staged])
  const list = useConnectors()
  const { connectors } = list
  const writable = connectors.filter((connector) => mayWrite(connector, me.user.role))
  const [asked, setAsked] = useSearchParams()
  const active = tabs.tabs.find(({ id }) => id === tabs.active)

  const begin = (id: string) => setBegun((before) => new Set(before).add(id))
  const open = (
    connector: Connector,
    text: string,
    title: string,
    { run = false, ...more }: Partial<Omit<ExplorerTab, 'id'>> & { run?: boolean } = {},
  ) => {
    const id = tabs.open({
      connectorId: connector.id,
      title,
      text,
      resource: null,
      presetId: null,
      ...more,
    })
    if (run) begin(id)
  }
  const openEmpty = (connector: Connector) => open(connector, '', t('tabs.query'))
  /** Its tab, where it is open already and nothing was changed in it. */
  const openResource = (connector: Connector, resource: string) => {
    const text = queryOf(connector.type, resource)
    const builder = !mayWrite(connector, me.user.role)
    const same = tabs.tabs.find(
      (tab) =>
        tab.connectorId === connector.id &&
        tab.resource === resource &&
        tab.presetId === null &&
        tab.definition === undefined &&
        tab.text === text &&
        tab.builder === builder,
    )
    if (!same) return open(connector, text, resource, { resource, builder, run: true })
    tabs.show(same.id)
    begin(same.id)
  }

  const closeTab = (id: string) => (staged.get(id) ? setClosing(id) : tabs.close(id))

  // A link to a resource opens it once: after a reload, its tab is there.
  const target = connectors.find(({ id }) => id === Number(asked.get('connector')))
  const resource = asked.get('resource')
  const taken = useRef('')
  useEffect(() => {
    if (!target || resource === null) {
      taken.current = ''
      return
    }
    // The address changes a moment later.
    const link = `${target.id} ${resource}`
    if (taken.current === link) return
    taken.current = link
    setAsked({}, { replace: true })
    openResource(target, resource)
  })

  // Until its tab can be opened, what a link asks for is in its place.
  const awaited = list.isLoading || list.error ? resource : null
  const name = active?.title ?? resource
  // Without connectors there is nothing to choose: why, and the way on, are in the place of the query.
  const failed = list.error !== null && connectors.length === 0
  const side = (
    <div className={classes.side}>
      <PaneTabs
        id="explorer-side"
        label={t('side.label')}
        tabs={[
          { id: 'data', label: t('side.data') },
          { id: 'presets', label: t('side.presets') },
          { id: 'history', label: t('side.history') },
        ]}
        active={sideTab}
        onChange={setSideTab}
      >
        {sideTab === 'data' ? (
          <ConnectorTree list={list} onQuery={openEmpty} onResource={openResource} />
        ) : sideTab === 'presets' ? (
          <PresetsPane
            connectors={connectors}
            current={active}
            onOpen={(connector, preset) =>
              open(connector, preset.definition.rawQuery ?? '', preset.name, {
                // Presets for any resource are for the one in sight.
                resource: preset.resource ?? (preset.definition.mode === 'visual' ? (active?.resource ?? null) : null),
                presetId: preset.id,
                definition: preset.definition,
                builder: preset.definition.mode === 'visual',
                look: lookOfPreset(preset.definition),
              })
            }
          />
        ) : (
          <HistoryPane
            key={active?.connectorId}
            connectors={connectors}
            current={active?.connectorId}
            onOpen={(connector, entry, run) => {
              const { text, title, ...more } = tabOfEntry(entry, t('tabs.query'))
              open(connector, text, title, { ...more, run })
            }}
          />
        )}
      </PaneTabs>
    </div>
  )
  const work = (
    <div className={classes.work}>
      <TabBar
        tabs={{ ...tabs, close: closeTab }}
        connectors={connectors}
        writable={writable}
        awaited={awaited}
        onNew={openEmpty}
      />
      {tabs.tabs.map((tab) => {
        const connector = connectors.find(({ id }) => id === tab.connectorId)
        return (
          <section
            key={tab.id}
            className={classes.tabPanel}
            hidden={tab.id !== tabs.active}
            aria-label={tab.title}
            data-environment={connector?.environment}
          >
            <QueryTab
              tab={tab}
              connector={connector}
              list={list}
              shown={tab.id === tabs.active}
              runsAtOnce={begun.has(tab.id)}
              onFollow={({ table, filters }) =>
                connector &&
                open(connector, queryOf(connector.type, table), table, {
                  resource: table,
                  definition: { mode: 'visual', action: 'find', filters },
                  builder: true,
                  run: true,
                })
              }
              onBuilder={(resource, definition) =>
                connector &&
                open(connector, queryOf(connector.type, resource), resource, {
                  resource,
                  definition,
                  builder: true,
                })
              }
              onEdit={(part) => tabs.edit(tab.id, part)}
              staged={staged}
            />
          </section>
        )
      })}
      {tabs.tabs.length === 0 ? <NoTabs list={list} writable={writable} onNew={openEmpty} /> : null}
    </div>
  )
  return (
    <Page title={t('title')} documentTitle={name ? `${name} · ${t('title')}` : t('title')} layout="fill">
      <SplitPane id="explorer" initial={0.2} minSize={224}>
        {failed ? work : side}
        {failed ? null : work}
      </SplitPane>
      {closing !== null ? (
        <DiscardDialog
          count={staged.get(closing) ?? 0}
          onClose={() => setClosing(null)}
          onDiscard={() => {
            setClosing(null)
            tabs.close(closing)
          }}
        />
      ) : null}
      {leaving.asked ? (
        <DiscardDialog
          count={[...staged.values()].reduce((sum, count) => sum + count, 0)}
          onClose={leaving.stay}
          onDiscard={leaving.go}
        />
      ) : null}
    </Page>
  )
}
