import { Button } from '@mantine/core'
import { IconAlertOctagon, IconHandStop, IconHourglass, IconPlayerPause } from '@tabler/icons-react'
import type { TablerIcon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { translateError } from '../../i18n/translate.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { GateBar } from './GateBar.tsx'
import { asksInBanner, failingNode } from './banner.rules.ts'
import classes from './JobRunBanner.module.css'
import { isJobRunOver } from './node-status.ts'

interface JobRunBannerProps {
  run: JobRun
  nodes: readonly JobRunNode[]
  chosen: string | null
  onChoose(key: string): void
}

interface Said {
  icon: TablerIcon
  tone?: 'failed' | 'paused'
  title: string
  text: string
  /** What it is about, where the title doesn’t say it. */
  label?: string
  /** Task or gate that the banner leads to. */
  key?: string
  kind?: JobRunNode['kind']
}

/** Longer texts may fill a small window. */
const mostUnscrolled = 800

function useSaid({ run, nodes, chosen }: JobRunBannerProps): Said | null {
  const { t } = useTranslation('jobRuns')
  const running = nodes.filter((node) => node.status === 'running').length
  const gates = nodes.filter((node) => node.kind === 'gate' && node.status === 'paused')
  const gate = gates.find(({ key }) => key === chosen) ?? gates[0]
  if (run.cancel_requested && !isJobRunOver(run.status)) {
    return { icon: IconHourglass, title: t('banner.cancelling'), text: t('banner.cancellingText', { count: running }) }
  }
  if (run.status === 'paused' && run.pause_reason !== 'gate') {
    const text = running > 0 ? t('banner.pausedRunning', { count: running }) : t('banner.pausedText')
    return { icon: IconPlayerPause, tone: 'paused', title: t('banner.paused'), text }
  }
  if (gate && asksInBanner(run)) {
    // The question itself stands out, of which the first line is enough.
    const [title = '', ...more] = (gate.message ?? gate.key).split('\n')
    const label = t('banner.gate')
    return { icon: IconHandStop, tone: 'paused', title, text: more.join('\n'), label, key: gate.key, kind: 'gate' }
  }
  if (run.status === 'pending') {
    return { icon: IconHourglass, title: t('banner.pending'), text: t('banner.pendingText') }
  }
  if (run.status !== 'failed') return null
  const failed = { icon: IconAlertOctagon, tone: 'failed', title: t('banner.failed') } as const
  const failing = failingNode(run, nodes)
  if (!failing) return { ...failed, text: translateError(run) ?? '' }
  const { key, kind, others } = failing
  // The failure of the chosen task is said below, in full.
  if (kind === 'task' && key === chosen) return null
  const what =
    kind === 'gate'
      ? t('banner.failedGate', { key })
      : others > 0
        ? t('banner.failedTasks', { key, count: others })
        : t('banner.failedTask', { key })
  const reason = kind === 'gate' ? failing.reason : null
  return { ...failed, text: reason === null ? what : `${what} ${reason}`, key, kind }
}

/** What stands in the way, and one click to where it is dealt with. */
export function JobRunBanner(props: JobRunBannerProps) {
  const { t } = useTranslation('jobRuns')
  const said = useSaid(props)
  if (!said) return null
  const { icon: Icon, tone, title, text, label = title, key, kind } = said
  const words = (
    <>
      <b>
        <CodeWords text={title} />
      </b>
      {text === '' ? null : (
        <>
          {kind === 'gate' && tone === 'paused' ? '\n' : ' '}
          <CodeWords text={text} />
        </>
      )}
    </>
  )
  return (
    <div className={classes.banner} data-tone={tone} role="status" aria-label={said.label}>
      <div className={classes.said}>
        <Icon size={16} aria-hidden />
        {title.length + text.length > mostUnscrolled ? (
          <ScrollRegion label={label} className={classes.text}>
            {words}
          </ScrollRegion>
        ) : (
          <div className={classes.text}>{words}</div>
        )}
      </div>
      <div className={classes.actions}>
        {key !== undefined && kind === 'gate' && tone === 'paused' ? (
          <GateBar key={key} run={props.run} gateKey={key} />
        ) : null}
        {key !== undefined && key !== props.chosen ? (
          <Button size="compact-xs" variant="default" onClick={() => props.onChoose(key)}>
            {t(kind === 'gate' ? 'banner.gateShow' : 'banner.failedShow')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
