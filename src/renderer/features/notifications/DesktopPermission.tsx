import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desktopBridge } from '../../desktop-bridge.ts'

const permissionNow = () => ('Notification' in globalThis ? Notification.permission : 'denied')

/** What a desktop channel does here, and the one button that a browser asks for before it may show anything. */
export function DesktopPermission() {
  const { t } = useTranslation('notifications')
  const [permission, setPermission] = useState(permissionNow)
  const asks = !desktopBridge() && permission === 'default'
  const denied = !desktopBridge() && permission === 'denied'
  return (
    <div style={{ marginTop: -6, color: 'var(--hg-text-muted)', fontSize: 12, lineHeight: '16px' }}>
      <p style={{ margin: 0 }}>{denied ? t('form.desktopDenied') : t('form.desktopHint')}</p>
      {asks ? (
        <Button
          mt={6}
          size="compact-xs"
          variant="default"
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          {t('form.desktopAllow')}
        </Button>
      ) : null}
    </div>
  )
}
