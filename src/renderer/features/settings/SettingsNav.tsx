import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { getServerConfig } from '../../../contract/server-config.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { settingTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { SideNav, SideNavHeading, SideNavLink } from '../../ui/SideNav.tsx'
import { useAddress } from '../../ui/use-address.ts'
import classes from './SettingsNav.module.css'
import { matches, settingMatches } from './settings-search.ts'
import { type SectionEntry, sectionGroups } from './settings-sections.ts'

interface Found {
  entry: SectionEntry
  /** What of the section was found. */
  titles: readonly string[]
}

/** Sections that hold what is looked for: their own words, and the settings of the server beside them. */
function useFinder(find: string) {
  const { t } = useTranslation('settings')
  const { can } = useSession()
  const mayRead = can('getServerConfig')
  const config = useOperation(getServerConfig, {}, { enabled: mayRead && find !== '' })
  const settings = useInLanguage(config.data?.settings, settingTexts)
  return (entry: SectionEntry): Found | null => {
    const own = t(`contents.${entry.word}`)
      .split('\n')
      .filter((line) => matches(find, [line, t(`tabs.${entry.word}`)]))
    const titles =
      entry.section === 'configuration'
        ? (settings ?? []).filter((one) => settingMatches(one, find)).map((one) => one.title)
        : own
    return titles.length > 0 || matches(find, [t(`tabs.${entry.word}`)]) ? { entry, titles } : null
  }
}

const shownTitles = 6

/** The sections of the settings, and one search over all of them. */
export function SettingsNav() {
  const { t } = useTranslation('settings')
  const { t: word } = useTranslation()
  const { can } = useSession()
  const { pathname } = useLocation()
  const [search, set] = useAddress()
  const find = (search.get('find') ?? '').trim()
  const finder = useFinder(find)
  const input = useRef<HTMLInputElement>(null)
  useCommands([
    {
      id: 'settings.find',
      title: t('find.label'),
      menu: 'edit',
      icon: IconSearch,
      shortcut: 'mod+shift+f',
      run: () => input.current?.focus(),
    },
  ])
  const groups = sectionGroups
    .map(({ name, entries }) => ({
      name,
      found: entries
        .filter(({ needs }) => !needs || can(needs))
        .map((entry): Found | null => (find ? finder(entry) : { entry, titles: [] }))
        .filter((found) => found !== null),
    }))
    .filter(({ found }) => found.length > 0)
  return (
    <SideNav className={classes.side}>
      <nav className={classes.nav} aria-label={t('title')}>
        <TextInput
          ref={input}
          type="search"
          aria-label={t('find.label')}
          placeholder={t('find.label')}
          value={search.get('find') ?? ''}
          onChange={(event) => set({ find: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && find) set({ find: null })
          }}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={
            find ? (
              <CloseButton size="xs" aria-label={word('clearSearch')} onClick={() => set({ find: null })} />
            ) : undefined
          }
        />
        {groups.map((group) => (
          <div key={group.name}>
            <SideNavHeading>{t(`groups.${group.name}`)}</SideNavHeading>
            {group.found.map(({ entry, titles }) => (
              <SectionLink key={entry.section} entry={entry} titles={titles} find={find} pathname={pathname} />
            ))}
          </div>
        ))}
        <p className={classes.nothing} role="status">
          {find && groups.length === 0 ? t('find.nothing', { find }) : null}
        </p>
      </nav>
    </SideNav>
  )
}

function SectionLink({ entry, titles, find, pathname }: Found & { find: string; pathname: string }) {
  const { t } = useTranslation('settings')
  const to = paths.settings(entry.section, find ? { find } : undefined)
  const active = pathname === paths.settings(entry.section)
  return (
    <>
      <SideNavLink to={to} active={active} icon={entry.icon}>
        {t(`tabs.${entry.word}`)}
      </SideNavLink>
      {titles.length > 0 ? (
        <ul className={classes.titles}>
          {titles.slice(0, shownTitles).map((title) => (
            <li key={title}>
              <Link to={to} tabIndex={-1}>
                {title}
              </Link>
            </li>
          ))}
          {titles.length > shownTitles ? <li>{t('find.more', { count: titles.length - shownTitles })}</li> : null}
        </ul>
      ) : null}
    </>
  )
}
