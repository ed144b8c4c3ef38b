import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listExecutors } from '../../../contract/executors.ts'
import { type ServerConfig, getServerConfig, updateServerConfig } from '../../../contract/server-config.ts'
import { ifMatch } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Command, StartCommand } from './StartCommand.tsx'
import { type KeyState, connectedSince, keyStateOf, newKey } from './add-executor.rules.ts'
import classes from './executors.module.css'

const keyLooks = { set: 'ok', pending: 'pending', random: 'not_run' } as const satisfies Record<KeyState, string>

/** The key that was generated here, which can’t be read from the server: in the commands until it was forgotten, at the latest with the session. */
const generatedKey = ['generated executor key']

/** Whether the server has a key that another executor can know, and where it is set. */
function KeyStep({ config, state }: { config: ServerConfig | undefined; state: KeyState | null }) {
  const { t } = useTranslation('executors')
  const { can } = useSession()
  const client = useQueryClient()
  const update = useAction(updateServerConfig, { invalidates: ['getServerConfig'] })
  const setKey = () => {
    const key = newKey()
    // Known before the answer, which comes to a closed dialog, too.
    client.setQueryData(generatedKey, key)
    update.mutate({ body: { values: { 'executors.key': key } }, headers: ifMatch(config) })
  }
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
          {state === 'random' && can('updateServerConfig') ? (
            <Button size="compact-xs" variant="default" loading={update.isPending} onClick={setKey}>
              {t('steps.keyGenerate')}
            </Button>
          ) : null}
          <Link to={paths.settings('configuration', { find: 'executors.key' })}>
            {t(state === 'set' ? 'steps.keyChange' : state === 'pending' ? 'steps.keyRestart' : 'steps.keySet')}
          </Link>
        </p>
      )}
      {update.error ? <ErrorState compact error={update.error} /> : null}
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
  const { can } = useSession()
  const config = useOperation(getServerConfig, {}, { enabled: can('getServerConfig') }).data
  const state = keyStateOf(config)
  const client = useQueryClient()
  const key = state === 'set' || state === 'pending' ? (client.getQueryData<string>(generatedKey) ?? null) : null
  return (
    <div className={classes.start}>
      <ol className={classes.steps}>
        <li>
          <b>{t('steps.keyTitle')}</b>
          <KeyStep config={config} state={state} />
        </li>
        <li>
          <b>{t('steps.sourceTitle')}</b>
          <p>{t('steps.sourceText')}</p>
        </li>
        <li>
          <b>{t('steps.startTitle')}</b>
          <p>
            <CodeWords text={t(key === null ? 'steps.startText' : 'steps.startKnown')} />
          </p>
          <Command of={t('steps.shell')} text={t('steps.export', { key: key ?? 'KEY' })} />
          <Command of={t('steps.powershell')} text={t('steps.exportPowershell', { key: key ?? 'KEY' })} />
          <StartCommand of={t('steps.anyTerminal')} />
          <p className={classes.hint}>{t('startElsewhere')}</p>
        </li>
      </ol>
      {/* With a key that isn’t used yet, none can connect. */}
      {state === 'random' || state === 'pending' ? null : <Connected />}
      <Link to={paths.docs('executors', 'start-one')}>{t('startDocs')}</Link>
    </div>
  )
}
