import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './SideNav.module.css'

/** The column left of a page that is divided into parts; the page says what stands in it. */
export function SideNav({ className, children }: { className: string | undefined; children: ReactNode }) {
  return <div className={`${classes.side} ${className}`}>{children}</div>
}

export function SideNavHeading({ children }: { children: ReactNode }) {
  return <h2 className={classes.group}>{children}</h2>
}

interface SideNavLinkProps {
  to: string
  active: boolean
  icon?: TablerIcon
  children: ReactNode
}

export function SideNavLink({ to, active, icon: Icon, children }: SideNavLinkProps) {
  return (
    <Link to={to} className={classes.item} aria-current={active ? 'page' : undefined}>
      {Icon ? <Icon size={15} stroke={1.7} aria-hidden /> : null}
      {children}
    </Link>
  )
}
