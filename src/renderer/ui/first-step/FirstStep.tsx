import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { CommandButton, type CommandButtonProps } from '../CommandButton.tsx'
import { EmptyState, type EmptyStateProps } from '../EmptyState.tsx'
import type { Step, StepGoal } from './first-step.rules.ts'
import { useFirstStep } from './use-first-step.ts'

const addresses: Record<Step, string> = {
  connector: paths.connectorNew(),
  task: paths.taskNew(),
  template: paths.jobTemplateNew(),
  dashboardTemplate: paths.dashboardTemplateNew(),
  job: paths.jobs({ new: 'yes' }),
  dashboard: paths.dashboardTemplates(),
}

/** Where the step is done. */
export function FirstStepButton({ step, ...button }: { step: Step } & Pick<CommandButtonProps, 'size'>) {
  const { t } = useTranslation('lists')
  return (
    <CommandButton
      {...button}
      id={`first-step.${step}`}
      label={t(`first.${step}.action`)}
      {...(step === 'dashboard' ? {} : { icon: IconPlus })}
      to={addresses[step]}
    />
  )
}

/** A list without records: its own action where it can be done, or the first step that can. */
export function EmptyList({ goal, text, action, ...state }: EmptyStateProps & { goal: StepGoal; text: string }) {
  const { t } = useTranslation('lists')
  const step = useFirstStep(goal)
  if (!step) return <EmptyState {...state} text={text} action={step === null ? action : undefined} />
  return <EmptyState {...state} text={`${text} ${t(`first.${step}.text`)}`} action={<FirstStepButton step={step} />} />
}
