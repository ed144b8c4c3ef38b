import { Button, Checkbox, Group } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBranding } from '../../ui/brand/use-branding.ts'
import { copyText } from '../../ui/copy-text.ts'
import classes from './SignInPage.module.css'

export interface RecoveryCodesProps {
  codes: readonly string[]
  account: string
  onKept: () => void
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Shown once: the way on opens when the user says that they are kept. */
export function RecoveryCodes({ codes, account, onKept }: RecoveryCodesProps) {
  const { t } = useTranslation('signIn')
  const { product_name: product } = useBranding()
  const [kept, setKept] = useState(false)
  const [copy, setCopy] = useState<'copied' | 'copyFailed' | null>(null)
  const list = codes.join('\n')
  const head = t('recovery.fileHead', { account, product, host: globalThis.location.host })
  const copyAll = () =>
    copyText(list).then(
      () => setCopy('copied'),
      () => setCopy('copyFailed'),
    )
  return (
    <>
      <ol className={classes.codes} data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Group gap={8} mb={12}>
        <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => void copyAll()}>
          {copy === 'copied' ? t('recovery.copied') : t('recovery.copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => download('recovery-codes.txt', `${head}\n\n${list}\n`)}
        >
          {t('recovery.download')}
        </Button>
      </Group>
      {copy === 'copyFailed' ? (
        <p className={classes.hint} role="alert">
          {t('recovery.copyFailed')}
        </p>
      ) : null}
      <Checkbox
        mb={12}
        label={t('recovery.kept')}
        checked={kept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Button size="sm" fullWidth disabled={!kept} onClick={onKept}>
        {t('recovery.go')}
      </Button>
    </>
  )
}
