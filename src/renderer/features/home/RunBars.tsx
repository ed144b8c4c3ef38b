import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Run } from '../../../contract/runs.ts'
import { paths } from '../../paths.ts'
import { RunBar } from '../../ui/RunBar.tsx'
import { durationText } from '../../ui/time.ts'
import classes from './home.module.css'
import { barHeights } from '../recent-runs/recent-runs.rules.ts'

/** The latest runs as bars: colour is status, height is duration, newest on the right. The table beside says it in words. */
export function RunBars({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('home')
  const { t: tUi } = useTranslation()
  const shown = runs.toReversed()
  const heights = barHeights(shown)
  return (
    <div className={classes.bars} role="group" aria-label={t('bars', { count: shown.length })}>
      {shown.map((run, index) => (
        <Link
          key={run.id}
          to={paths.run(run.id)}
          tabIndex={-1}
          aria-hidden
          className={classes.bar}
          title={`#${run.id} ${run.task_name} · ${tUi(`status.${run.status}`)}${run.duration_ms === null ? '' : ` · ${durationText(run.duration_ms)}`}`}
        >
          <RunBar status={run.status} share={heights[index] ?? 0} />
        </Link>
      ))}
    </div>
  )
}
