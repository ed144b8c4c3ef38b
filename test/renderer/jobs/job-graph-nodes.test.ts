import { expect, test } from 'vitest'
import type { JobNode } from '../../../src/contract/job-templates.ts'
import { graphNodes } from '../../../src/renderer/features/jobs/job-graph-nodes.ts'

const node = (key: string, more: Partial<JobNode>): JobNode => ({
  key,
  kind: 'task',
  depends_on: [],
  run_if: 'all_success',
  when: null,
  description: null,
  task: null,
  task_id: null,
  version: null,
  for_each: false,
  message: null,
  pool: null,
  line: 1,
  end_line: 1,
  ...more,
})

test('a gate is called an approval in the graph of a job, not by a question that isn’t filled in yet', () => {
  const nodes = [
    node('load', { task: 'flights.load' }),
    node('sign_off', { kind: 'gate', message: 'Publish ${{ tasks.load.item_count }} rows?', depends_on: ['load'] }),
  ]
  expect(graphNodes(nodes, 'Approval').map(({ sublabel }) => sublabel)).toEqual(['flights.load', 'Approval'])
})
