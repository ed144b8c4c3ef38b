import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { decideGate } from '../../../contract/job-run-control.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'

/** Approve or reject a waiting gate, with a comment that is kept. `done`: after the server has taken it. */
export function useGateDecision(gate: { jobRunId: number; key: string }, done: () => void = () => {}) {
  const { t } = useTranslation('jobRuns')
  const { can } = useSession()
  const [comment, setComment] = useState('')
  const decide = useAction(decideGate, { invalidates: ['getJobRun', 'getJobRunGraph', 'getAttention'] })
  const text = comment.trim()
  return {
    comment,
    setComment,
    allowed: can('decideGate'),
    busy: decide.isPending,
    error: decide.error?.message ?? null,
    decide: (open: boolean) => {
      if (decide.isPending) return
      decide.mutate(
        { params: { id: gate.jobRunId, key: gate.key }, body: { open, ...(text ? { note: text } : {}) } },
        {
          onSuccess: () => {
            notifications.show({ message: t(open ? 'gate.approved' : 'gate.rejected', { key: gate.key }) })
            done()
          },
        },
      )
    },
  }
}
