import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listExecutors } from '../../../contract/executors.ts'
import { getServerConfig } from '../../../contract/server-config.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Command, StartCommand } from './StartCommand.tsx'
import { type KeyState, connectedSince, keyStateOf } from './add-executor.rules.ts'
import classes from './executors.module.css'

const keyLooks = { set: 'ok', pending: 'pending', random: 'not_run' } as const satisfies Record<KeyState, string>

/** Whether the server has a key that another executor can know, and where it is set. */
function KeyStep() {
  const { t } = useTranslation('executors')
  const { can } = useSession()
  const config = useOperation(getServerConfig, {}, { enabled: can('getServerConfig') })
  const state = keyStateOf(config.data)
  return (
    <>
      <p>{t('steps.keyText')}</p>
      {state === null ? (
        can('getServerConfig') ? null : (
          <p>{t('steps.keyAsk')}</p>
        )
      ) : (
        <p className={classes.state}>
          <StatusBadge status={keyLooks[state]} label={t(`steps.key.${state}`)} />
          <Link to={paths.settings('configuration', { find: 'executors.key' })}>
            {t(state === 'set' ? 'steps.keyChange' : state === 'pending' ? 'steps.keyRestart' : 'steps.keySet')}
          </Link>
        </p>
      )}
    </>
  )
}

/** What has connected since the dialog was opened. */
function Connected() {
  const { t } = useTranslation('executors')
  const executors = useOperation(listExecutors).data
  const [before, setBefore] = useState(executors)
  // Those that are there when the list comes were there before.
  if (before === undefined && executors !== undefined) setBefore(executors)
  const names = connectedSince(before ?? [], before && executors ? executors : []).map(({ name }) => name)
  return (
    <p className={classes.state} role="status">
      <StatusBadge
        status={names.length > 0 ? 'online' : 'waiting'}
        label={
          names.length > 0
            ? t('steps.connected', { count: names.length, names: names.join(', ') })
            : t('steps.connecting')
        }
      />
    </p>
  )
}

/** What is to be done on the server and on the executor’s machine, and whether it has worked. */
export function AddExecutorSteps() {
  const { t } = useTranslation('executors')
  return (
    <div className={classes.start}>
      <ol className={classes.steps}>
        <li>
          <b>{t('steps.keyTitle')}</b>
          <KeyStep />
        </li>
        <li>
          <b>{t('steps.sourceTitle')}</b>
          <p>{t('steps.sourceText')}</p>
        </li>
        <li>
          <b>{t('steps.startTitle')}</b>
          <p>
            <CodeWords text={t('steps.startText')} />
          </p>
          <Command of={t('steps.shell')} text={t('steps.export')} />
          <Command of={t('steps.powershell')} text={t('steps.exportPowershell')} />
          <StartCommand />
          <p className={classes.hint}>{t('startElsewhere')}</p>
        </li>
      </ol>
      <Connected />
      <Link to={paths.docs('executors', 'start-one')}>{t('startDocs')}</Link>
    </div>
  )
}
