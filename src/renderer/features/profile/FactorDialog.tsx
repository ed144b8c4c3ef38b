import { Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { disableTotp, renewRecoveryCodes, restartTotpSetup, setupTotp } from '../../../contract/totp.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Enrolment, type Setup } from '../sign-in/Enrolment.tsx'
import { RecoveryCodes } from '../sign-in/RecoveryCodes.tsx'
import { ConfirmedByPassword } from './ConfirmedByPassword.tsx'

export type FactorDeed = 'enrol' | 'disable' | 'renew'
type Step = { name: 'password' } | { name: 'scan'; setup: Setup; password: string } | { name: 'codes'; codes: string[] }

/** One that was begun earlier and never verified is begun anew: its secret is not shown twice. */
async function beginEnrolment(password: string): Promise<Setup> {
  try {
    return await call(setupTotp, { body: { password } })
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'INVALID_STATE') throw error
    return call(restartTotpSetup, { body: { password } })
  }
}

function Steps({ deed, onClose }: { deed: FactorDeed; onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { t: tSignIn } = useTranslation('signIn')
  const { me, refresh } = useSession()
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ name: 'password' })
  const changed = () => {
    refresh()
    for (const id of ['getOwnUser', 'listSessions']) void client.invalidateQueries({ queryKey: [id] })
  }
  if (step.name === 'scan') {
    const { password } = step
    return (
      <>
        <Text size="sm" mb={12}>
          {tSignIn('enrol.text')}
        </Text>
        <Enrolment
          setup={step.setup}
          onAnew={async () =>
            setStep({ name: 'scan', setup: await call(restartTotpSetup, { body: { password } }), password })
          }
          onVerified={(answer) => {
            changed()
            notifications.show({ message: t('factor.enabled') })
            if (answer.recovery_codes) setStep({ name: 'codes', codes: answer.recovery_codes })
            else onClose()
          }}
        />
      </>
    )
  }
  if (step.name === 'codes') {
    return (
      <>
        <Text size="sm" mb={12}>
          {tSignIn('recovery.text')}
        </Text>
        <RecoveryCodes codes={step.codes} account={me.user.username} onKept={onClose} />
      </>
    )
  }
  const ask = { onCancel: onClose }
  if (deed === 'enrol') {
    return (
      <ConfirmedByPassword
        {...ask}
        text={t('factor.enrolText')}
        submitLabel={t('factor.goOn')}
        onSubmit={async ({ password }) => setStep({ name: 'scan', setup: await beginEnrolment(password), password })}
      />
    )
  }
  if (deed === 'renew') {
    return (
      <ConfirmedByPassword
        {...ask}
        text={t('factor.renewText')}
        submitLabel={t('factor.make')}
        onSubmit={async ({ password }) => {
          const { recovery_codes: codes } = await call(renewRecoveryCodes, { body: { password } })
          setStep({ name: 'codes', codes })
        }}
      />
    )
  }
  return (
    <ConfirmedByPassword
      {...ask}
      withCode
      danger
      text={t('factor.disableText')}
      submitLabel={t('factor.disable')}
      onSubmit={async (body) => {
        await call(disableTotp, { body })
        changed()
        notifications.show({ message: t('factor.disabled') })
        onClose()
      }}
    />
  )
}

const titles = { enrol: 'factor.enrolTitle', disable: 'factor.disableTitle', renew: 'factor.renewTitle' } as const

/** Enrols, removes the second factor, or makes new recovery codes. A stray click closes nothing. */
export function FactorDialog({ deed, onClose }: { deed: FactorDeed | null; onClose: () => void }) {
  const { t } = useTranslation('profile')
  return (
    <Modal
      opened={deed !== null}
      onClose={onClose}
      closeOnEscape={false}
      title={<b>{deed ? t(titles[deed]) : null}</b>}
      size={440}
    >
      {deed ? <Steps key={deed} deed={deed} onClose={onClose} /> : null}
    </Modal>
  )
}
