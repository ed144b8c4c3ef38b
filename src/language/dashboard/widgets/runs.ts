/** Widgets about runs of the job. */
import { listOf, optional, withDefault } from '../../shape/collections.ts'
import { number, text } from '../../shape/scalars.ts'
import { formId, jobTaskKey, mappingId } from '../name-shapes.ts'
import { defineWidget } from './common.ts'

export const runStatus = defineWidget(
  'run_status',
  'How the last job run, or the last run of a task, is or ended.',
  { task: optional(jobTaskKey) },
  ({ task }) => ({ type: 'run_status', task: task ?? null }),
)

export const runList = defineWidget(
  'run_list',
  'The last job runs, or the last runs of a task.',
  {
    task: optional(jobTaskKey),
    last: withDefault(number({ description: 'Number of runs.', integer: true, min: 1, max: 100 }), 10),
  },
  ({ task, last }) => ({ type: 'run_list', task: task ?? null, last }),
)

export const runButton = defineWidget(
  'run_button',
  'Starts the job with the values of a form and of field mappings, and follows the job run.',
  {
    label: optional(text({ description: 'Text of the button.', examples: ['Run now'], maxLength: 60 })),
    form: optional(formId),
    mappings: optional(
      listOf(mappingId, {
        description: 'Field mappings whose values it gives; by default all of the dashboard.',
        max: 20,
        unique: true,
      }),
    ),
    confirm: optional(text({ description: 'A question that is asked first.', maxLength: 500 })),
  },
  ({ label, form, mappings, confirm }, _node, _path, { dashboard }) => ({
    type: 'run_button',
    label: label ?? null,
    form: form ?? null,
    mappings: mappings ?? [...(dashboard?.widgets.get('field_mapping') ?? [])],
    confirm: confirm ?? null,
  }),
)

export const log = defineWidget(
  'log',
  'The end of the log of the last run of a task, or of the task that failed last.',
  {
    task: optional(jobTaskKey),
    lines: withDefault(number({ description: 'Lines to show.', integer: true, min: 1, max: 1_000 }), 200),
  },
  ({ task, lines }) => ({ type: 'log', task: task ?? null, lines }),
)
