import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFileCode, IconPlugConnected, IconRun, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { listConnectors } from '../../contract/connectors.ts'
import { listTasks } from '../../contract/tasks.ts'
import { useOperation } from '../api/queries.ts'
import { paths } from '../paths.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { type Command, useRegisteredCommands } from './commands.ts'
import classes from './commands.module.css'
import { matchesQuery, runNumberIn } from './palette.rules.ts'
import { paletteStore, usePaletteMode } from './palette.store.ts'

interface Entry {
  id: string
  label: string
  hint?: string
  to: string
}

/** Tasks and connectors whose names match, and the run of that number. */
function useRecords(query: string, enabled: boolean) {
  const { t } = useTranslation('shell')
  const [settled] = useDebouncedValue(query.trim(), 150)
  const input = { query: { q: settled, limit: 8 } }
  const tasks = useOperation(listTasks, input, { enabled, keepPrevious: true, staleTime: 5000 })
  const connectors = useOperation(listConnectors, input, { enabled, keepPrevious: true, staleTime: 5000 })
  const run = runNumberIn(query)
  const taskEntries = (tasks.data?.result ?? []).map((task): Entry => ({
    id: `task-${task.id}`,
    label: task.name,
    hint: task.description ?? undefined,
    to: paths.task(task.id),
  }))
  const connectorEntries = (connectors.data?.result ?? []).map((connector): Entry => ({
    id: `connector-${connector.id}`,
    label: connector.name,
    hint: connector.type,
    to: paths.connector(connector.id),
  }))
  const runEntries: Entry[] = run
    ? [{ id: `run-${run}`, label: t('palette.run', { number: run }), to: paths.run(run) }]
    : []
  return [
    { group: t('nav.runs'), icon: IconRun, entries: runEntries },
    { group: t('nav.tasks'), icon: IconFileCode, entries: taskEntries },
    { group: t('nav.connectors'), icon: IconPlugConnected, entries: connectorEntries },
  ].filter(({ entries }) => entries.length > 0)
}

function useFoundCommands(query: string): Command[] {
  return useRegisteredCommands().filter(
    (command) =>
      !command.hidden && matchesQuery(`${command.title} ${command.keywords ?? ''} ${command.group ?? ''}`, query),
  )
}

function CommandGroups({ found }: { found: readonly Command[] }) {
  const { t } = useTranslation('shell')
  const groups = Map.groupBy(found, (command) => command.group ?? t('groups.page'))
  return [...groups].map(([group, commands]) => (
    <Spotlight.ActionsGroup key={group} label={group}>
      {commands.map(({ id, title, icon: Icon, shortcut, run }) => (
        <Spotlight.Action
          key={id}
          label={title}
          leftSection={Icon ? <Icon size={15} stroke={1.7} aria-hidden /> : <span className={classes.noIcon} />}
          rightSection={shortcut ? <Kbd keys={shortcut} /> : undefined}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  ))
}

/** Ctrl/Cmd-K: every command by name. Ctrl/Cmd-P: open any task, connector or run. */
export function Palette() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { opened } = useSpotlight(paletteStore)
  const [query, setQuery] = useState('')
  const mode = usePaletteMode()
  const searching = mode === 'records' || query.trim().length > 0
  const records = useRecords(query, opened && searching)
  const commands = useFoundCommands(query)
  const nothing = (mode === 'records' || commands.length === 0) && (!searching || records.length === 0)
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      size={600}
      radius="md"
      yOffset="12vh"
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      classNames={{ action: classes.action, actionsGroup: classes.actionsGroup }}
      scrollable
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      maxHeight={420}
      // Gone at once: while it faded, the next shortcut would fall into it.
      transitionProps={{ duration: 80, exitDuration: 0 }}
    >
      <Spotlight.Search
        aria-label={t('palette.title')}
        placeholder={mode === 'records' ? t('palette.open') : t('palette.commands')}
        leftSection={<IconSearch size={16} aria-hidden />}
        size="md"
      />
      <Spotlight.ActionsList className={classes.actions}>
        {mode === 'commands' ? <CommandGroups found={commands} /> : null}
        {searching
          ? records.map(({ group, icon: Icon, entries }) => (
              <Spotlight.ActionsGroup key={group} label={group}>
                {entries.map((entry) => (
                  <Spotlight.Action
                    key={entry.id}
                    label={entry.label}
                    leftSection={<Icon size={15} stroke={1.7} aria-hidden />}
                    rightSection={entry.hint ? <span className={classes.hint}>{entry.hint}</span> : undefined}
                    onClick={() => void navigate(entry.to)}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ))
          : null}
        {nothing ? <div className={classes.nothing}>{t('palette.nothing')}</div> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
