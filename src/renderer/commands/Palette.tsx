import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../ui/Kbd.tsx'
import { type Command, type CommandGroup, useRegisteredCommands } from './commands.ts'
import './fades.css'
import classes from './commands.module.css'
import { matchesChord } from './keys.ts'
import { byGroup } from './menu.rules.ts'
import { OpenAnything } from './open/OpenAnything.tsx'
import { keyOf } from './open/found.ts'
import { useFound } from './open/use-found.ts'
import { byTitle, matchesQuery } from './palette.rules.ts'
import {
  type PaletteMode,
  enterLater,
  keepChosen,
  openIfEntered,
  paletteListId,
  paletteStore,
  setPaletteMode,
  setPaletteQuery,
  usePaletteMode,
  usePaletteQuery,
} from './palette.store.ts'

const faces = [
  { keys: 'mod+p', mode: 'records' },
  { keys: 'mod+k', mode: 'commands' },
] as const

/** Below commands a few records are enough. */
const limits = { commands: 8, records: 60 } as const
/** What was opened lately, between the commands of the page and the others. */
const latelyShown = 5

function useFoundCommands(query: string): Command[] {
  const { t } = useTranslation('shell')
  return useRegisteredCommands().filter(
    ({ hidden, title, keywords, group = 'page' }) =>
      !hidden && matchesQuery(`${title} ${keywords ?? ''} ${t(`groups.${group}`)}`, query),
  )
}

/** What the shown page can do, and what can be done everywhere. */
const ofPage: ReadonlySet<CommandGroup> = new Set(['page', 'row'])

interface CommandGroupsProps {
  found: readonly Command[]
  query: string
  part: 'page' | 'rest'
}

/**
 * Under their headings, those of the page apart from the others; once something was typed in one list, what is called so before what is
 * found by other words.
 */
function CommandGroups({ found, query, part }: CommandGroupsProps) {
  const { t } = useTranslation('shell')
  const typed = query.trim() !== ''
  if (typed && (part === 'rest' || found.length === 0)) return null
  const groups: [string, string, readonly Command[]][] = typed
    ? [
        [
          'found',
          t('palette.title'),
          byTitle(
            byGroup(found).flatMap(([, commands]) => commands),
            query,
          ),
        ],
      ]
    : byGroup(found)
        .filter(([group]) => ofPage.has(group) === (part === 'page'))
        .map(([group, commands]) => [group, t(`groups.${group}`), commands])
  return groups.map(([id, heading, commands]) => (
    <Spotlight.ActionsGroup key={id} label={heading}>
      {commands.map(({ id, title, icon: Icon, shortcut, run }) => (
        <Spotlight.Action
          key={id}
          label={title}
          leftSection={Icon ? <Icon size={15} stroke={1.7} aria-hidden /> : <span className={classes.noIcon} />}
          rightSection={shortcut ? <Kbd keys={shortcut} /> : undefined}
          // Half faded on the ground of the chosen line, keys could not be read.
          dimmedSections={false}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  ))
}

/** The two faces, each with its keys. */
function Modes({ mode }: { mode: PaletteMode }) {
  const { t } = useTranslation('shell')
  return (
    <div className={classes.modes} role="group" aria-label={t('palette.modes.label')}>
      {faces.map((face) => (
        <button
          key={face.mode}
          type="button"
          tabIndex={-1}
          aria-pressed={face.mode === mode}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setPaletteMode(face.mode)}
        >
          {t(`palette.modes.${face.mode}`)} <Kbd keys={face.keys} />
        </button>
      ))}
    </div>
  )
}

/** What the open palette holds: nothing of it is reckoned while it is closed. */
function PaletteContent() {
  const { t } = useTranslation('shell')
  const query = usePaletteQuery()
  const mode = usePaletteMode()
  const records = mode === 'records'
  const commands = useFoundCommands(query)
  const typed = query.trim() !== ''
  const shown = useFound(query, records || typed, records || typed ? limits[mode] : latelyShown)
  /** Ctrl or Cmd was held with the Enter that chooses: the record opens beside this page. */
  const beside = useRef(false)
  // Answers come one after the other: the best one stays chosen until somebody chooses another.
  const moved = useRef(false)
  const listed = [...(records ? [] : commands.map(({ id }) => id)), ...shown.ranked.map(({ found: one }) => keyOf(one))]
  const order = listed.join(' ')
  const kept = useRef('')
  const answered = !shown.busy || (!records && commands.length > 0)
  // In the same breath as the list: Enter must find its entry marked.
  useLayoutEffect(() => {
    if (kept.current !== order) keepChosen(moved.current)
    kept.current = order
    if (answered && order !== '') openIfEntered()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.startsWith('Arrow')) moved.current = true
    // The one that ends what an input method composes opens nothing.
    const enter = event.key === 'Enter' && !event.nativeEvent.isComposing
    enterLater(enter && order === '' && shown.busy)
    beside.current = enter && (event.ctrlKey || event.metaKey)
    if (event.key === 'Backspace' && !records && query === '') setPaletteMode('records')
    // The keys that open it change its face; the browser's own, printing, is not meant.
    const face = faces.find(({ keys }) => matchesChord(event, keys))
    if (!face) return
    event.preventDefault()
    setPaletteMode(face.mode)
  }
  const nothing = (records || commands.length === 0) && shown.ranked.length === 0
  return (
    <>
      <Spotlight.Search
        aria-label={t(records ? 'palette.openTitle' : 'palette.title')}
        placeholder={t(records ? 'palette.open' : 'palette.commands')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Modes mode={mode} />}
        rightSectionWidth="auto"
        rightSectionPointerEvents="all"
        size="md"
        onKeyDown={onKeyDown}
        onChange={() => {
          moved.current = false
        }}
        data-palette-field
      />
      <Spotlight.ActionsList id={paletteListId} className={`hg-fades-within ${classes.actions}`}>
        {records ? null : <CommandGroups found={commands} query={query} part="page" />}
        <OpenAnything state={shown} lately={!typed} beside={() => beside.current} />
        {records ? null : <CommandGroups found={commands} query={query} part="rest" />}
        {nothing ? (
          <div className={classes.nothing} role="status">
            {t(shown.busy ? 'palette.looking' : query.trim() === '' ? 'palette.nothingOpened' : 'palette.nothing')}
          </div>
        ) : null}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={classes.keys}>
        {shown.failed ? <span className={classes.failed}>{t('palette.failed')}</span> : null}
        <span>
          <Kbd keys="Enter" /> {t('palette.keys.open')}
        </span>
        <span>
          <Kbd keys="mod+Enter" /> {t('palette.keys.beside')}
        </span>
        {records ? (
          <span>
            <Kbd keys=">" /> {t('palette.keys.commands')}
          </span>
        ) : null}
      </Spotlight.Footer>
    </>
  )
}

/** Ctrl/Cmd-K: every command by name. Ctrl/Cmd-P: open anything; `>` there leads to the commands. */
export function Palette() {
  const { t } = useTranslation('shell')
  const query = usePaletteQuery()
  const records = usePaletteMode() === 'records'
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setPaletteQuery}
      shortcut={null}
      size={640}
      radius="md"
      yOffset="12vh"
      centered={false}
      closeOnClickOutside
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      classNames={{ action: classes.action, actionsGroup: classes.actionsGroup }}
      scrollable
      attributes={{ content: { 'aria-label': t(records ? 'palette.openTitle' : 'palette.title') } }}
      maxHeight={480}
      // Gone at once: while it faded, the next shortcut would fall into it.
      transitionProps={{ duration: 80, exitDuration: 0 }}
    >
      <PaletteContent />
    </Spotlight.Root>
  )
}
