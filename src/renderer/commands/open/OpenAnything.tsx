import { Spotlight } from '@mantine/spotlight'
import {
  IconAdjustments,
  IconBell,
  IconBook,
  IconBriefcase,
  IconCalendarClock,
  IconDatabaseExport,
  IconFileCode,
  IconKey,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconPlugConnected,
  IconRun,
  IconServer2,
  IconSettings,
  IconSitemap,
  IconStack2,
  IconTimeline,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import classes from '../commands.module.css'
import { type Found, type RecordKind, keyOf } from './found.ts'
import type { Ranked } from './ranking.rules.ts'
import { rememberOpened } from './recent.ts'

const icons: Readonly<Record<RecordKind, TablerIcon>> = {
  task: IconFileCode,
  job: IconBriefcase,
  jobTemplate: IconSitemap,
  connector: IconPlugConnected,
  dashboard: IconLayoutDashboard,
  dashboardTemplate: IconLayoutGrid,
  jobRun: IconTimeline,
  run: IconRun,
  trigger: IconCalendarClock,
  user: IconUser,
  apiKey: IconKey,
  channel: IconBell,
  pool: IconStack2,
  executor: IconServer2,
  section: IconSettings,
  setting: IconAdjustments,
  docs: IconBook,
  backup: IconDatabaseExport,
}

function Marked({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  if (ranges.length === 0) return text
  const ends = ranges.map(([, to]) => to)
  return (
    <>
      {ranges.map(([from, to], index) => (
        <span key={from}>
          {text.slice(ends[index - 1] ?? 0, from)}
          <mark className={classes.mark}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}

interface OpenAnythingProps {
  state: { ranked: readonly Ranked[] }
  /** These are what was opened lately: nothing was typed. */
  lately: boolean
  /** Whether the key that chooses asked for a window of its own. */
  beside: () => boolean
}

/** Records in one list, the best first, each with its kind. */
export function OpenAnything({ state, lately, beside }: OpenAnythingProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { me } = useSession()
  const open = (found: Found, event: MouseEvent) => {
    const { exact: _, ...opened } = found
    rememberOpened(me.user.id, opened)
    if (beside() || event.ctrlKey || event.metaKey) globalThis.open(found.to, '_blank', 'noopener')
    else void navigate(found.to)
  }
  if (state.ranked.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={t(lately ? 'palette.lately' : 'palette.found')}>
      {state.ranked.map(({ found, ranges }) => {
        const Icon = icons[found.kind]
        return (
          <Spotlight.Action key={keyOf(found)} onClick={(event) => open(found, event)}>
            <Icon size={15} stroke={1.7} aria-hidden className={classes.icon} />
            <span className={classes.record} title={found.title}>
              <span className={classes.title}>
                <Marked text={found.title} ranges={ranges} />
              </span>
              {found.hint ? <span className={classes.hint}>{found.hint}</span> : null}
            </span>
            <span className={classes.kind}>{t(`palette.kinds.${found.kind}`)}</span>
          </Spotlight.Action>
        )
      })}
    </Spotlight.ActionsGroup>
  )
}
