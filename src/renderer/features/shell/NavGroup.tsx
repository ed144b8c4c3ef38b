import { VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Hint } from '../../ui/Hint.tsx'
import { useAttentionCount } from './use-attention-count.ts'
import { isWithin, type NavGroup as Group } from './nav-items.ts'
import classes from './Shell.module.css'

/** `icons`: without words; a group then can't be closed. A closed group still shows the current page. */
export function NavGroup({ group, icons }: { group: Group; icons: boolean }) {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const { can } = useSession()
  const attention = useAttentionCount()
  const [closed, setClosed] = useLocalStorage<string[]>({
    key: 'headgate.nav-closed',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const title = useId()
  const isClosed = !icons && closed.includes(group.name)
  const toggle = () =>
    setClosed((before) => (isClosed ? before.filter((name) => name !== group.name) : [...before, group.name]))
  const allowed = group.items.filter((item) => !item.needs || can(item.needs))
  const shown = isClosed ? allowed.filter((item) => isWithin(item, pathname)) : allowed
  return (
    <li className={classes.group}>
      {icons ? null : (
        <button type="button" id={title} className={classes.groupTitle} aria-expanded={!isClosed} onClick={toggle}>
          {t(`nav.groups.${group.name}`)}
          <IconChevronRight size={12} stroke={1.7} aria-hidden />
        </button>
      )}
      <ul aria-label={icons ? t(`nav.groups.${group.name}`) : undefined} aria-labelledby={icons ? undefined : title}>
        {shown.map((item) => (
          <li key={item.name}>
            <Hint label={t(`nav.${item.name}`)} command={`go-${item.name}`} position="right">
              <Link
                to={item.to}
                className={classes.item}
                aria-label={icons ? t(`nav.${item.name}`) : undefined}
                aria-current={isWithin(item, pathname) ? 'page' : undefined}
              >
                <item.icon size={16} stroke={1.7} aria-hidden />
                {icons ? null : <span className={classes.label}>{t(`nav.${item.name}`)}</span>}
                {item.name === 'home' && attention ? (
                  <span className={classes.count} data-dot={icons || undefined}>
                    {icons ? null : attention}
                    <VisuallyHidden> {t('nav.attention')}</VisuallyHidden>
                  </span>
                ) : null}
              </Link>
            </Hint>
          </li>
        ))}
      </ul>
    </li>
  )
}
