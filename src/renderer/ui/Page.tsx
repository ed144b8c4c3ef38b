import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useCommands } from '../commands/commands.ts'
import { Cut } from './Cut.tsx'
import { PageHelp } from './HelpLink.tsx'
import { TabWord } from './TabWord.tsx'
import { useHeadFocus } from './use-head-focus.ts'
import { useBranding } from './brand/use-branding.ts'
import classes from './Page.module.css'
import { numberText } from './format.ts'

export interface Crumb {
  label: string
  to: string
}
export interface PageTab {
  label: string
  to: string
  /** A count beside the word. */
  count?: number
  active: boolean
}
export interface PageProps {
  title: string
  /** Title of the window and the browser’s tab, if other than `title`. */
  documentTitle?: string
  /** Right of the title: a status badge, an environment mark. */
  badge?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  crumbs?: readonly Crumb[]
  tabs?: readonly PageTab[] | undefined
  /** A row below the header that does not scroll: filters, search. */
  toolbar?: ReactNode
  /** `scroll` scrolls a padded document; `fill` gives the children the whole height to divide themselves. */
  layout?: 'scroll' | 'fill'
  /** Widest line of a scrolling page, in pixels. */
  maxWidth?: number
  children: ReactNode
}

/** Such a name is never cut beside a long one. */
const isShort = (name: string) => name.length <= 12 || undefined

function Header({ title, badge, subtitle, actions, crumbs }: PageProps) {
  const { t } = useTranslation()
  const head = useHeadFocus()
  return (
    <header className={classes.header}>
      <nav aria-label={t('breadcrumb')} className={classes.crumbs}>
        {crumbs?.map((crumb) => (
          <span key={crumb.to} className={classes.crumb} data-short={isShort(crumb.label)}>
            <Link to={crumb.to} title={crumb.label}>
              <Cut text={crumb.label} />
            </Link>
            <IconChevronRight size={13} aria-hidden />
          </span>
        ))}
        <h1 ref={head} className={classes.title} title={title} tabIndex={-1} data-short={isShort(title)}>
          <Cut text={title} />
        </h1>
      </nav>
      {badge}
      {subtitle ? (
        <div className={classes.subtitle} title={typeof subtitle === 'string' ? subtitle : undefined}>
          {typeof subtitle === 'string' ? <span className={classes.words}>{subtitle}</span> : subtitle}
        </div>
      ) : null}
      <div className={classes.actions}>
        {actions}
        <PageHelp />
      </div>
    </header>
  )
}

/** The frame of every page: one header line with breadcrumbs and actions, tabs, a toolbar, and the content. */
export function Page(props: PageProps) {
  const { title, documentTitle = title, tabs, toolbar, layout = 'scroll', maxWidth, children } = props
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { product_name: product } = useBranding()
  useCommands(
    (tabs ?? []).map((tab, index) => ({
      id: `page.tab-${index + 1}`,
      title: t('showTab', { name: tab.label }),
      shortcut: String(index + 1),
      when: !tab.active,
      run: () => void navigate(tab.to),
    })),
  )
  useEffect(() => {
    document.title = `${documentTitle} · ${product}`
  }, [documentTitle, product])
  return (
    <div className={classes.page}>
      <Header {...props} />
      {tabs ? (
        <nav className={classes.tabs} aria-label={title}>
          {tabs.map((tab) => (
            <Link key={tab.to} to={tab.to} className={classes.tab} aria-current={tab.active ? 'page' : undefined}>
              <TabWord>{tab.label}</TabWord>
              {tab.count === undefined ? null : <span className={classes.count}>{numberText(tab.count)}</span>}
            </Link>
          ))}
        </nav>
      ) : null}
      <PageBody toolbar={toolbar} layout={layout} maxWidth={maxWidth}>
        {children}
      </PageBody>
    </div>
  )
}

/** What is below the header and the tabs; alone where a page is divided beside its navigation. */
export function PageBody({ toolbar, layout, maxWidth, children }: Omit<PageProps, 'title' | 'documentTitle'>) {
  return (
    <>
      {toolbar ? <div className={classes.toolbar}>{toolbar}</div> : null}
      {layout === 'fill' ? (
        <div className={classes.fill} data-layout="fill">
          {children}
        </div>
      ) : (
        <div className={classes.scroll}>
          <div style={{ maxWidth }}>{children}</div>
        </div>
      )}
    </>
  )
}
