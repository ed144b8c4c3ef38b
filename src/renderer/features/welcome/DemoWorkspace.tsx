import { Alert, Button, Group, Loader } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconCheck, IconCircle, IconDatabasePlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownZone } from '../../ui/time.ts'
import { type DemoStep, demoSteps, makeDemoWorkspace } from './demo-workspace.ts'
import classes from './welcome.module.css'

type StepState = 'done' | 'doing' | 'waiting' | 'failed'

function Sign({ state }: { state: StepState }) {
  const { t } = useTranslation('welcome')
  const label = t(`state.${state}`)
  if (state === 'doing') return <Loader size={14} aria-label={label} />
  if (state === 'done') return <IconCheck size={15} aria-label={label} className={classes.done} />
  if (state === 'failed') return <IconX size={15} aria-label={label} className={classes.failed} />
  return <IconCircle size={15} aria-label={label} className={classes.waiting} />
}

function stateOf(step: DemoStep, at: DemoStep, failed: boolean): StepState {
  const distance = demoSteps.indexOf(step) - demoSteps.indexOf(at)
  if (distance < 0) return 'done'
  if (distance > 0) return 'waiting'
  return failed ? 'failed' : 'doing'
}

interface DemoWorkspaceProps {
  /** The file that its tasks write. */
  database: string
  onMade: () => void
  variant?: 'filled' | 'default'
  /** The other way on. */
  other?: ReactNode
}

/** The button that makes the demo workspace, and what it is doing. */
export function DemoWorkspace({ database, onMade, variant = 'filled', other }: DemoWorkspaceProps) {
  const { t } = useTranslation('welcome')
  const client = useQueryClient()
  const [at, setAt] = useState<DemoStep | null>(null)
  const make = useMutation({
    mutationFn: () => makeDemoWorkspace(database, ownZone(), setAt),
    onSuccess: () => {
      void client.invalidateQueries()
      notifications.show({ message: t('done') })
      onMade()
    },
  })
  return (
    <div>
      {at ? (
        <ul className={classes.steps} aria-live="polite">
          {demoSteps.map((step) => (
            <li key={step}>
              <Sign state={stateOf(step, at, make.isError)} />
              {t(`steps.${step}`, { path: database })}
            </li>
          ))}
        </ul>
      ) : null}
      {make.error ? (
        <Alert color="red" variant="light" p={8} mb={8} role="alert">
          {make.error.message}
        </Alert>
      ) : null}
      <Group gap={8}>
        <Button
          size={variant === 'filled' ? 'sm' : 'xs'}
          variant={variant}
          leftSection={<IconDatabasePlus size={15} />}
          loading={make.isPending}
          onClick={() => make.mutate()}
          data-autofocus
        >
          {make.isError ? t('again') : t('demo')}
        </Button>
        {other}
      </Group>
    </div>
  )
}
