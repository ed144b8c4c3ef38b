import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { previewTask } from '../../../contract/task-preview.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StageStrip } from '../tasks/StageStrip.tsx'
import { StageView } from '../tasks/StageView.tsx'
import classes from './ai.module.css'

interface ProposalRowsProps {
  yaml: string
  mapping: Record<string, number>
  args?: Record<string, unknown> | undefined
  /** The sources are files or complete tables. A query or a path that a model wrote waits for a click. */
  runsUnasked: boolean
}

const SAMPLE_ROWS = 20

/** The rows after each step of a proposed task, before it is accepted. */
export function ProposalRows({ yaml, mapping, args, runsUnasked }: ProposalRowsProps) {
  const { t } = useTranslation('ai')
  const { can } = useSession()
  const preview = useAction(previewTask)
  const [chosen, setChosen] = useState<number | null>(null)
  const { mutate } = preview
  const run = () =>
    mutate({
      body: { yaml_content: yaml, connector_mapping: mapping, ...(args && { arguments: args }), limit: SAMPLE_ROWS },
    })
  const allowed = can(previewTask.id)
  useEffect(() => {
    if (allowed && runsUnasked) run()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for a proposal, which is a component of its own
  }, [])
  if (!allowed) return null
  const stages = preview.data?.stages ?? []
  const shown = stages.find((one) => one.index === chosen) ?? stages.at(-1)
  return (
    <section className={classes.rows} aria-label={t('proposal.rows')}>
      {shown ? (
        <>
          <StageStrip stages={stages} notReached={[]} chosen={shown.index} onChoose={setChosen} />
          <StageView
            key={shown.index}
            stage={shown}
            earlier={stages.filter((one) => one.index < shown.index)}
            onStage={setChosen}
          />
        </>
      ) : preview.error ? (
        <ErrorState error={preview.error} onRetry={run} compact />
      ) : (
        <div className={classes.bar}>
          <Button variant="default" leftSection={<IconEye size={14} />} loading={preview.isPending} onClick={run}>
            {t('proposal.showRows')}
          </Button>
          {runsUnasked ? null : <span className={classes.faint}>{t('proposal.showRowsText')}</span>}
        </div>
      )}
    </section>
  )
}
