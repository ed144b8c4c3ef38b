import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import type { Run } from '../../../contract/runs.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { OutputsPane } from '../runs/OutputsPane.tsx'
import runClasses from '../runs/RunPage.module.css'
import classes from './JobRunPage.module.css'

/** Of a `for_each` as a whole: the list of its items' outputs, then those of the run that is shown. */
export function ItemOutputs({ node, run }: { node: JobRunNode; run: Run }) {
  const { t } = useTranslation('jobRuns')
  return (
    <div className={classes.outputs}>
      {node.outputs === null ? null : (
        <div className={classes.listOutputs}>
          <h3 className={runClasses.heading}>{t('items.outputs')}</h3>
          <JsonView json={node.outputs} />
        </div>
      )}
      <OutputsPane run={run} />
    </div>
  )
}
