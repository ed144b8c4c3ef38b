import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { FirstDemo } from '../welcome/FirstDemo.tsx'
import type { FirstStep } from './use-first-steps.ts'
import classes from './home.module.css'

interface FirstStepsProps {
  steps: readonly FirstStep[]
  /** Nothing has run yet: the demo is offered, too. */
  isNew: boolean
  onDismiss: () => void
}

/** The way from data to a job that runs on schedule, with what is done already ticked off. */
export function FirstSteps({ steps, isNew, onDismiss }: FirstStepsProps) {
  const { t } = useTranslation('home')
  const { can } = useSession()
  const mayMakeAll = can('createConnector') && can('createTask') && can('createTrigger') && can('getServerInfo')
  const next = steps.find((step) => !step.done)?.name
  return (
    <section className={classes.start} aria-label={t('start.title')}>
      <div className={classes.head}>
        <h2>{t('start.title')}</h2>
        <Button size="compact-sm" variant="subtle" ml="auto" mr={-8} onClick={onDismiss}>
          {t('start.dismiss')}
        </Button>
      </div>
      <p>{t('start.text')}</p>
      <ol className={classes.steps}>
        {steps.map(({ name, done, to, allowed }, index) => (
          <li
            key={name}
            className={classes.step}
            data-done={done || undefined}
            data-later={(!done && !allowed) || undefined}
          >
            <span className={classes.stepNumber}>
              {done ? <IconCheck size={14} aria-label={t('start.done')} /> : index + 1}
            </span>
            <div className={classes.grow} style={{ whiteSpace: 'normal' }}>
              <b>{t(`start.${name}`)}</b>
              <p>{t(`start.${name}Text`)}</p>
            </div>
            {allowed && !done ? (
              <Button component={Link} to={to} variant={name === next ? 'filled' : 'default'}>
                {t(`start.${name}Action`)}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
      {isNew && mayMakeAll ? <FirstDemo /> : null}
    </section>
  )
}
