import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { getServerConfig } from '../../../contract/server-config.ts'
import { useOperation } from '../../api/queries.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { Cut } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { ConfigForm } from './ConfigForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import classes from './settings.module.css'
import { settingMatches } from './settings-search.ts'

/** Every setting of the server, or those that the search finds. */
export function ConfigurationPage() {
  const { t } = useTranslation('configuration')
  const [search, set] = useAddress()
  const find = (search.get('find') ?? '').trim()
  const config = useOperation(getServerConfig)
  const file = config.data?.file
  return (
    <SettingsPage>
      {file ? (
        <p className={classes.lead}>
          {t('file')}{' '}
          <span className={classes.path}>
            <code>
              <Cut text={file} />
            </code>
            <CopyIcon value={file} />
          </span>
        </p>
      ) : null}
      <ConfigForm
        only={(setting) => find === '' || settingMatches(setting, find)}
        empty={
          <EmptyState
            icon={IconSearchOff}
            title={t('noMatch.title')}
            text={t('noMatch.text')}
            action={
              <Button variant="default" onClick={() => set({ find: null })}>
                {t('noMatch.action')}
              </Button>
            }
          />
        }
      />
    </SettingsPage>
  )
}
