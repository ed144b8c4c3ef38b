import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardDetail } from '../../../contract/dashboards.ts'
import { useSession } from '../../api/session.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ShareForm } from './ShareForm.tsx'
import { ShareList } from './ShareList.tsx'
import type { Choice } from './dashboard-choice.rules.ts'
import classes from './share.module.css'

interface ShareDialogProps {
  dashboard: DashboardDetail
  /** As they are now: what a new link begins with. */
  filters: Choice['filters']
  onClose: () => void
}

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Public links of a dashboard: a new one, shown once, and those that there are. */
export function ShareDialog({ dashboard, filters, onClose }: ShareDialogProps) {
  const { t } = useTranslation('shares')
  const { can } = useSession()
  const [made, setMade] = useState<string | null>(null)
  const isLocal = localNames.has(location.hostname)
  return (
    <FormDialog
      opened
      size={680}
      stays={made !== null}
      title={made === null ? t('title', { name: dashboard.name }) : t('made')}
      onClose={onClose}
    >
      {isLocal ? (
        <Alert color="yellow" variant="light" p={8} mb={12} icon={<IconAlertTriangle size={16} aria-hidden />}>
          {t('localOnly')}
        </Alert>
      ) : null}
      {made === null ? (
        <>
          {can('createDashboardShare') ? (
            <ShareForm dashboard={dashboard} filters={filters} onMade={setMade} onCancel={onClose} />
          ) : null}
          <ShareList dashboardId={dashboard.id} />
        </>
      ) : (
        <MadeLink url={`${location.origin}${made}`} onDone={() => setMade(null)} />
      )}
    </FormDialog>
  )
}

function MadeLink({ url, onDone }: { url: string; onDone: () => void }) {
  const { t } = useTranslation('shares')
  return (
    <>
      <Text size="sm">{t('madeText')}</Text>
      <div className={classes.link}>
        <code data-testid="public-link">{url}</code>
        <CopyIcon value={url} label={t('copy')} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('done')}
        </Button>
      </Group>
    </>
  )
}
