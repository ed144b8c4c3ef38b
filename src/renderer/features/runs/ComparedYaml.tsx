import { Skeleton } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Run } from '../../../contract/runs.ts'
import { getTaskVersion } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { DiffView } from '../../ui/code/DiffView.tsx'
import classes from '../../ui/compare/compare.module.css'

const useText = (run: Run) => useOperation(getTaskVersion, { params: { id: run.task_id, vid: run.task_version } })

/** The YAML of both runs, as far as it is the task's. */
export function ComparedYaml({ a, b }: { a: Run; b: Run }) {
  const { t } = useTranslation('runs')
  const [left, right] = [useText(a), useText(b)]
  const failed = [left, right].find(({ error }) => error)
  const overridden = [a, b].filter((run) => run.overridden)
  const label = (run: Run) => `#${run.id}, ${t('page.versionLink', { version: run.task_version })}`
  if (failed?.error) return <ErrorState what="yaml" error={failed.error} onRetry={() => void failed.refetch()} />
  if (!left.data || !right.data) return <Skeleton height={34} radius={0} />
  const [before, after] = [left.data.yaml_content, right.data.yaml_content]
  return (
    <>
      {overridden.map((run) => (
        <p key={run.id} className={classes.notice}>
          {t('compare.overriddenText', { id: run.id, version: run.task_version })}
        </p>
      ))}
      {before === after ? (
        <EmptyState icon={IconEqual} title={t('compare.sameYaml')} compact />
      ) : (
        <DiffView before={before} after={after} beforeLabel={label(a)} afterLabel={label(b)} />
      )}
    </>
  )
}
