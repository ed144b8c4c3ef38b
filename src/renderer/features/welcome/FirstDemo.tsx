import { useTranslation } from 'react-i18next'
import { getServerInfo } from '../../../contract/server.ts'
import { useOperation } from '../../api/queries.ts'
import { DemoWorkspace } from './DemoWorkspace.tsx'
import classes from './welcome.module.css'

/** The demo workspace, offered where nothing has run yet to whom may make it. */
export function FirstDemo() {
  const { t } = useTranslation('welcome')
  const info = useOperation(getServerInfo)
  if (!info.data) return null
  return (
    <section className={classes.section}>
      <h2>{t('firstSteps')}</h2>
      <p>{t('demoText')}</p>
      <DemoWorkspace database={info.data.demo_database} onMade={() => undefined} variant="default" />
    </section>
  )
}
