import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Run, listRuns } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { MenuChoice } from '../../ui/MenuChoice.tsx'
import { CompareMenu, PreviousChoice } from '../../ui/compare/CompareMenu.tsx'

function Choices({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const before = useOperation(listRuns, { query: { task_id: run.task_id, to: run.created_at, limit: 2 } })
  const original = run.retried_from
  return (
    <>
      <PreviousChoice
        title={t('compare.previous')}
        none={t('compare.noPrevious')}
        previous={before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)}
        textOf={(id) => `#${id}`}
        to={(id) => paths.runCompare(id, run.id)}
      />
      {original === null ? null : (
        <MenuChoice
          icon={IconRefresh}
          title={t('compare.original')}
          text={`#${original}`}
          onClick={() => void navigate(paths.runCompare(original, run.id))}
        />
      )}
    </>
  )
}

/** Beside which other run this one is put. */
export function RunCompareMenu({ run }: { run: Run }) {
  return (
    <CompareMenu command="run.compare">
      <Choices run={run} />
    </CompareMenu>
  )
}
