import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import contents from 'virtual:headgate-docs/contents'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { SideNav, SideNavHeading, SideNavLink } from '../../ui/SideNav.tsx'
import { useAddress } from '../../ui/use-address.ts'
import classes from './docs.module.css'
import { LazyResults } from './LazyResults.tsx'
import { askedIn } from './use-found-words.ts'

/** All pages in their groups, or the results that led to the one at hand, and the search above them. */
export function DocsNav({ slug, query }: { slug: string; query: string }) {
  const { t, i18n } = useTranslation('docs')
  const { t: word } = useTranslation()
  const [search, set] = useAddress()
  const { state } = useLocation() as { state: unknown } // any, by its type
  // A page that a search led to keeps its words in the field.
  const asked = query || askedIn(state)
  const isFound = query === '' && asked !== ''
  const navigate = useNavigate()
  const clear = () => (query ? set({ q: null }) : void navigate({}, { replace: true, state: null }))
  const input = useRef<HTMLInputElement>(null)
  const nav = useRef<HTMLElement>(null)
  useCommands([
    {
      id: 'docs.search',
      title: t('search.command'),
      icon: IconSearch,
      shortcut: '/',
      run: () => {
        input.current?.focus()
        input.current?.select()
      },
    },
  ])
  useEffect(() => {
    if (slug) nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [slug])
  return (
    <SideNav className={classes.side}>
      <div role="search" className={classes.search}>
        <TextInput
          ref={input}
          type="search"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          value={search.get('q') ?? asked}
          onChange={(event) => (event.currentTarget.value ? set({ q: event.currentTarget.value }) : clear())}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && asked) clear()
            if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault()
              document.querySelector<HTMLElement>('[data-docs-result]')?.focus()
            }
          }}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={asked ? <CloseButton size="xs" aria-label={word('clearSearch')} onClick={clear} /> : undefined}
        />
        {i18n.language === 'en' ? null : <p className={classes.language}>{t('language')}</p>}
      </div>
      <nav className={classes.nav} lang={isFound ? undefined : 'en'} aria-label={t('pages')} ref={nav}>
        {isFound ? (
          <LazyResults query={asked} />
        ) : (
          contents.map((group) => (
            <section key={group.title}>
              <SideNavHeading>{group.title}</SideNavHeading>
              {group.pages.map((page) => (
                <SideNavLink key={page.slug} to={paths.docs(page.slug)} active={page.slug === slug && query === ''}>
                  {page.title}
                </SideNavLink>
              ))}
            </section>
          ))
        )}
      </nav>
    </SideNav>
  )
}
