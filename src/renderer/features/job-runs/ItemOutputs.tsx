import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import type { Run } from '../../../contract/runs.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { OutputsPane } from '../runs/OutputsPane.tsx'
import runClasses from '../runs/RunPage.module.css'
import classes from './JobRunPage.module.css'
import { useItemNames } from './use-node-run.ts'

/** Of a `for_each` as a whole: the list of its items' outputs, then those of the run that is shown. */
export function ItemOutputs({ jobRunId, node, run }: { jobRunId: number; node: JobRunNode; run: Run }) {
  const { t } = useTranslation('jobRuns')
  const items = useItemNames(jobRunId, node)
  return (
    <div className={classes.outputs}>
      {node.outputs === null ? null : (
        <div className={classes.listOutputs}>
          <h3 className={runClasses.heading}>{t('items.outputs')}</h3>
          <JsonView json={node.outputs} names={items} />
        </div>
      )}
      <OutputsPane run={run} />
    </div>
  )
}
