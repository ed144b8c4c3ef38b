import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { FirstDemo } from '../welcome/FirstDemo.tsx'
import classes from './home.module.css'

export interface FirstStepsProps {
  hasConnector: boolean
  hasTask: boolean
}

/** What an empty installation shows: the way to the first run, with what is done already ticked off. */
export function FirstSteps({ hasConnector, hasTask }: FirstStepsProps) {
  const { t } = useTranslation('home')
  const { can } = useSession()
  const steps = [
    { name: 'connector', done: hasConnector, to: paths.connectorNew(), allowed: can('createConnector') },
    { name: 'task', done: hasTask, to: paths.taskNew(), allowed: can('createTask') },
    { name: 'run', done: false, to: paths.tasks(), allowed: can('triggerRun') && hasTask },
  ] as const
  const mayMakeAll = can('createConnector') && can('createTask') && can('createTrigger') && can('getServerInfo')
  const next = steps.find((step) => !step.done)?.name
  return (
    <section className={classes.start}>
      <h2>{t('start.title')}</h2>
      <p>{t('start.text')}</p>
      <ol className={classes.steps}>
        {steps.map(({ name, done, to, allowed }, index) => (
          <li key={name} className={classes.step} data-done={done || undefined}>
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
      {mayMakeAll ? <FirstDemo /> : null}
    </section>
  )
}
