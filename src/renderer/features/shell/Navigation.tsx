import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { openPalette } from '../../commands/palette.store.ts'
import { paths } from '../../paths.ts'
import { CommandKeys, Hint } from '../../ui/Hint.tsx'
import { BrandMark } from '../../ui/brand/BrandMark.tsx'
import { useBranding } from '../../ui/brand/use-branding.ts'
import { UserMenu } from './UserMenu.tsx'
import { NavGroup } from './NavGroup.tsx'
import { navGroups } from './nav-items.ts'
import classes from './Shell.module.css'

export interface NavigationProps {
  collapsed: boolean
  /** Lies above the page, in a narrow window. */
  over: boolean
  onToggle: () => void
  onShortcuts: () => void
}

export function Navigation({ collapsed, over, onToggle, onShortcuts }: NavigationProps) {
  const { t } = useTranslation('shell')
  const { product_name: product } = useBranding()
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const toggleLabel = collapsed ? t('nav.expand') : t('nav.collapse')
  return (
    <nav
      data-main
      className={classes.nav}
      data-collapsed={collapsed || undefined}
      data-over={over || undefined}
      aria-label={t('nav.label')}
    >
      <Link to={paths.home()} className={classes.brand} aria-label={product}>
        <BrandMark size={20} maxWidth={collapsed ? 20 : 100} />
        {collapsed ? null : <span className={classes.label}>{product}</span>}
      </Link>
      <Hint label={t('nav.search')} command="show-commands" position="right">
        <button
          type="button"
          className={classes.search}
          aria-label={collapsed ? t('nav.search') : undefined}
          onClick={() => openPalette('commands')}
        >
          <IconSearch size={15} stroke={1.7} aria-hidden />
          {collapsed ? null : (
            <>
              <span className={classes.label}>{t('nav.find')}</span>
              <CommandKeys command="show-commands" />
            </>
          )}
        </button>
      </Hint>
      <ul className={classes.items}>
        {navGroups.map((group) => (
          <NavGroup key={group.name} group={group} icons={collapsed} />
        ))}
      </ul>
      <div className={classes.foot}>
        <Hint label={toggleLabel} command="toggle-navigation" position="right">
          <button
            type="button"
            className={classes.item}
            onClick={onToggle}
            aria-label={collapsed ? toggleLabel : undefined}
          >
            <Toggle size={16} stroke={1.7} aria-hidden />
            {collapsed ? null : <span className={classes.label}>{t('nav.collapseShort')}</span>}
          </button>
        </Hint>
        <UserMenu collapsed={collapsed} onShortcuts={onShortcuts} />
      </div>
    </nav>
  )
}
