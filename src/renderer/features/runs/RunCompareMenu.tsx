import { useTranslation } from 'react-i18next'
import { type Run, listRuns } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CompareMenu } from '../../ui/compare/CompareMenu.tsx'

/** Chooses a run to compare this one with. */
export function RunCompareMenu({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const before = useOperation(listRuns, { query: { task_id: [run.task_id], to: run.created_at, limit: 2 } })
  const previous = before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)
  return (
    <CompareMenu
      command="run.compare"
      previous={{ title: t('compare.previous'), id: previous }}
      original={run.retried_from === null ? null : { title: t('compare.original'), id: run.retried_from }}
      list={{
        title: t('compare.any'),
        text: t('compare.anyText'),
        to: paths.runs({ task_id: run.task_id }),
      }}
      textOf={(id) => `#${id}`}
      to={(id) => paths.runCompare(id, run.id)}
    />
  )
}
