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

test('a gate shows its question in the graph of a job, with expressions by their last names, and in full in its tooltip', () => {
  const nodes = [
    node('load', { task: 'flights.load' }),
    node('sign_off', { kind: 'gate', message: 'Publish ${{ tasks.load.item_count }} rows?', depends_on: ['load'] }),
    node('ok', { kind: 'gate' }),
  ]
  expect(graphNodes(nodes, 'Approval').map(({ sublabel, inFull }) => [sublabel, inFull])).toEqual([
    ['flights.load', undefined],
    ['Publish {load} rows?', 'Publish ${{ tasks.load.item_count }} rows?'],
    ['Approval', undefined],
  ])
})
