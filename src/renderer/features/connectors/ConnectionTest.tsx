import { IconFingerprint, IconPlugConnected } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiFailure } from '../../api/client.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Status } from '../../ui/status.ts'
import classes from './connectors.module.css'
import { shownHostKey } from './host-key.ts'
import type { FieldValues } from './schema-form.ts'
import { useStageName } from './stage-name.ts'
import { type Stage, type TestState, stagesOf } from './test-stages.ts'
import { translateMessage } from '../../i18n/translate.ts'

const badges: Readonly<Record<Stage['state'], Status>> = {
  waiting: 'not_tested',
  running: 'running',
  not_run: 'not_run',
  ok: 'success',
  failed: 'failed',
}

/** The icon and the others' words say it already. */
const wordless: ReadonlySet<Stage['state']> = new Set(['waiting', 'ok'])

function StageLine({ type, stage }: { type: string; stage: Stage }) {
  const stageName = useStageName()
  const { t } = useTranslation('connectors')
  const check = 'check' in stage ? stage.check : undefined
  return (
    <li className={classes.stage} data-stage={stage.name} data-state={stage.state}>
      <div className={classes.stageLine}>
        <StatusBadge size="icon" status={badges[stage.state]} />
        <span>{stageName(type, stage.name)}</span>
        {wordless.has(stage.state) ? null : <span className={classes.stageWord}>{t(`test.${stage.state}`)}</span>}
        <span className={classes.stageTime}>{check ? <Duration ms={check.duration_ms} /> : null}</span>
      </div>
      {check?.ok && check.message ? (
        <p className={classes.stageRemark}>
          <CodeWords
            text={translateMessage({ message: check.message, ...(check.params && { params: check.params }) })}
          />
        </p>
      ) : null}
      {check && !check.ok ? (
        <>
          {check.message ? (
            <p className={classes.stageMessage}>
              <CodeWords
                text={translateMessage({ message: check.message, ...(check.params && { params: check.params }) })}
              />
            </p>
          ) : null}
          {check.error ? (
            <details className={classes.raw}>
              <summary>{t('test.raw')}</summary>
              <pre>
                {check.error.name}
                {check.error.code ? ` (${check.error.code})` : ''}: {check.error.message}
              </pre>
            </details>
          ) : null}
        </>
      ) : null}
    </li>
  )
}

export interface ConnectionTestProps {
  type: string
  /** What stands in the form: some stages depend on it. */
  config: FieldValues
  state: TestState
  error: ApiFailure | null
  /** Absent when this user may not test. */
  onTest?: () => void
  /** What is tested is not what is saved. */
  unsaved: boolean
  /** Takes the key of an SSH server into the form; absent where there is no such field. */
  onTrust?: (key: string) => void
}

/** The test told the server's key: the one thing to do about it is one click away. */
function TrustKey({ hostKey, known, onTrust }: { hostKey: string; known: boolean; onTrust: (key: string) => void }) {
  const { t } = useTranslation('connectors')
  return (
    <div className={classes.trust} role="group" aria-label={t('hostKey.title')}>
      <b>{known ? t('hostKey.changed') : t('hostKey.title')}</b>
      <code>{hostKey}</code>
      <span className={classes.muted}>{known ? t('hostKey.changedText') : t('hostKey.text')}</span>
      <CommandButton
        id="connector.trust-host-key"
        needsServer
        label={t('hostKey.trust')}
        variant="default"
        icon={IconFingerprint}
        onClick={() => onTrust(hostKey)}
      />
    </div>
  )
}

/** The connection test as stages: what worked, what failed and why, what was not reached. */
export function ConnectionTest({ type, config, state, error, onTest, unsaved, onTrust }: ConnectionTestProps) {
  const { t } = useTranslation('connectors')
  const done = state.phase === 'done' ? state : null
  const hostKey = done && onTrust ? shownHostKey(done.result, config) : null
  return (
    <section aria-label={t('test.title')} aria-live="polite">
      <div className={classes.testHead}>
        <span>{t('test.title')}</span>
        <span className={classes.testState}>
          <StatusBadge
            size="md"
            status={
              done ? (done.result.ok ? 'success' : 'failed') : state.phase === 'running' ? 'running' : 'not_tested'
            }
          />
          {done?.at ? (
            <span className={classes.muted} style={{ fontWeight: 400 }}>
              <RelativeTime at={done.at} />
            </span>
          ) : null}
        </span>
        {onTest ? (
          <CommandButton
            id="connector-test"
            needsServer
            label={t('test.run')}
            variant="default"
            ml="auto"
            flex="none"
            loading={state.phase === 'running'}
            icon={IconPlugConnected}
            onClick={onTest}
            shortcut="mod+Enter"
          />
        ) : null}
      </div>
      <ol className={classes.stages}>
        {stagesOf(type, config, state).map((stage) => (
          <StageLine key={stage.name} type={type} stage={stage} />
        ))}
      </ol>
      {hostKey !== null && onTrust ? (
        <TrustKey hostKey={hostKey} known={config.host_key !== '' && config.host_key !== 'any'} onTrust={onTrust} />
      ) : null}
      {error ? (
        <p className={classes.stageMessage} role="alert">
          {error.message}
        </p>
      ) : null}
      <p className={classes.muted}>
        {done?.result.executor && !unsaved
          ? t('test.by', { executor: done.result.executor })
          : t(unsaved ? 'test.unsaved' : 'test.explain')}
      </p>
    </section>
  )
}
