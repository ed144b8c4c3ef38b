import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ResultOf } from '../../../contract/operation.ts'
import type { setupTotp } from '../../../contract/totp.ts'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import { CodeForm, type Verified } from './CodeForm.tsx'
import { Trouble } from './Trouble.tsx'
import classes from './SignInPage.module.css'
import { inGroups } from './code-text.ts'
import { useSubmit } from './use-submit.ts'

export type Setup = ResultOf<typeof setupTotp>

/** The QR code as a picture: what the server drew runs no script in the page. */
const pictureOf = (svg: string) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

export interface EnrolmentProps {
  /** Null: begun earlier, its secret is not shown again. */
  setup: Setup | null
  onAnew: () => Promise<void>
  onVerified: (answer: Verified) => void
}

/** QR code, the secret to type, and the first code that proves that the app has it. */
export function Enrolment({ setup, onAnew, onVerified }: EnrolmentProps) {
  const { t } = useTranslation('signIn')
  const anew = useSubmit()
  return (
    <>
      {setup ? (
        <div className={classes.enrol}>
          <img src={pictureOf(setup.qr_svg)} alt={t('enrol.qr')} className={classes.qr} />
          <div>
            <p className={classes.hint}>{t('enrol.byHand')}</p>
            <div className={classes.secret}>
              <code data-testid="totp-secret">{inGroups(setup.secret)}</code>
              <CopyIcon value={setup.secret} label={t('enrol.copySecret')} />
            </div>
          </div>
        </div>
      ) : null}
      <CodeForm
        key={setup?.secret ?? ''}
        kind="digits"
        label={t('code.label')}
        submitLabel={t('enrol.finish')}
        onVerified={onVerified}
      />
      {setup ? null : (
        <>
          <Button
            variant="default"
            size="sm"
            fullWidth
            mt={8}
            loading={anew.busy}
            onClick={() => void anew.run(onAnew)}
          >
            {t('enrol.startOver')}
          </Button>
          <Trouble message={anew.failure?.message} left={anew.left} />
        </>
      )}
    </>
  )
}
