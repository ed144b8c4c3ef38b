import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getRejectsRerun } from '../../../contract/rejects-rerun.ts'
import type { Run } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { translateReason } from '../../i18n/translate.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './rejects.module.css'

/** Runs that are named; the others are in the list of runs. */
const named = 3

/** What became of the rejected rows, and the way to fix them. */
export function RejectsRerun({ run, step }: { run: Run; step: string | null }) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  const { data } = useOperation(getRejectsRerun, { params: { id: run.id } })
  if (!data || data.starts.length + data.unreadable === 0) return null
  const open = data.starts.reduce((sum, start) => sum + start.open, 0)
  // The page of a refused rerun would say only why not.
  const refused = data.refused ?? data.starts.find((one) => one.step === step || data.starts.length === 1)?.refused
  const start = data.starts.find((one) => one.step === step && one.open > 0)
  const reruns = data.reruns.filter(({ counts }) => counts)
  return (
    <div className={classes.rerun}>
      {reruns.slice(0, named).map(({ run_id, status, rows, rejected }) => (
        <span key={run_id} className={classes.rerunOf}>
          <StatusBadge status={status} />
          <Link to={paths.run(run_id)}>{t('rejects.rerunBy', { count: rows, id: run_id })}</Link>
          {rejected > 0 ? t('rejects.rejectedAgain', { count: rejected }) : null}
        </span>
      ))}
      {reruns.length > named ? <span>{t('rejects.moreReruns', { count: reruns.length - named })}</span> : null}
      {refused ? (
        <span>
          <CodeWords text={translateReason(refused)} />
        </span>
      ) : can('rerunRejects') && run.status === 'completed' && (open > 0 || reruns.length === 0) ? (
        <CommandButton
          id="run.fix-rejects"
          label={t('rejects.fix')}
          icon={IconPencil}
          size="compact-sm"
          hint={t('rejects.fixHint')}
          to={paths.fixRejects(run.id, start ? { start: start.step } : {})}
        />
      ) : null}
    </div>
  )
}
