import { ActionIcon, Button } from '@mantine/core'
import { IconFolderOpen } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { getServerInfo } from '../../../contract/server.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { paths } from '../../paths.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { SignInFrame, StepHeading } from '../sign-in/SignInFrame.tsx'
import { DemoWorkspace } from './DemoWorkspace.tsx'
import classes from './welcome.module.css'

function DataFolder({ path }: { path: string }) {
  const { t } = useTranslation('welcome')
  const bridge = desktopBridge()
  return (
    <div className={classes.folder}>
      <code data-testid="data-folder">{path}</code>
      <CopyIcon value={path} label={t('copy')} />
      {bridge ? (
        <Hint label={t('show')}>
          <ActionIcon size={22} aria-label={t('show')} onClick={() => void bridge.showItemInFolder(path)}>
            <IconFolderOpen size={14} />
          </ActionIcon>
        </Hint>
      ) : null}
    </div>
  )
}

/** After the first account was made: where everything is kept, and how to begin. */
export function WelcomePage({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('welcome')
  const { me } = useSession()
  const navigate = useNavigate()
  const info = useOperation(getServerInfo)
  const title = t('title', { name: me.user.display_name ?? me.user.username })
  const leave = () => {
    void navigate(paths.home())
    onDone()
  }
  const empty = (
    <Button variant="default" size="sm" onClick={leave}>
      {t('empty')}
    </Button>
  )
  return (
    <SignInFrame title={title} wide>
      <StepHeading title={title} text={t('text')} />
      {info.error && !info.data ? (
        <>
          <ErrorState what="server" compact error={info.error} onRetry={() => void info.refetch()} />
          {empty}
        </>
      ) : (
        <>
          <section className={classes.section}>
            <h2>{t('data')}</h2>
            <p>{t('dataText')}</p>
            {info.data ? <DataFolder path={info.data.data_dir} /> : null}
          </section>
          <section className={classes.section}>
            <h2>{t('start')}</h2>
            <p>{t('demoText')}</p>
            <div className={classes.choices}>
              {info.data ? <DemoWorkspace database={info.data.demo_database} onMade={leave} other={empty} /> : empty}
            </div>
          </section>
        </>
      )}
    </SignInFrame>
  )
}
