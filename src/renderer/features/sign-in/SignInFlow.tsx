import { Anchor, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ComponentType, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logout } from '../../../contract/auth.ts'
import { restartTotpSetup, setupTotp } from '../../../contract/totp.ts'
import { call } from '../../api/client.ts'
import { CodeForm, type Verified } from './CodeForm.tsx'
import { Credentials, type LoginAnswer } from './Credentials.tsx'
import { Enrolment, type Setup } from './Enrolment.tsx'
import { GivenPassword } from './GivenPassword.tsx'
import { OtherUser } from './OtherUser.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Step =
  | { name: 'credentials' }
  | { name: 'code'; recovery: boolean }
  | { name: 'enrol'; setup: Setup | null }
  | { name: 'codes'; codes: readonly string[]; changeAfter: boolean }
  | { name: 'change' }

export interface SignInFlowProps {
  bootstrap: boolean
  username?: string
  /** What stands above name and password. */
  intro: ReactNode
  /** Draws what stands above every other step. */
  Heading: ComponentType<{ title: string; text: string | null }>
  /** `first`: the account was just made. */
  onSignedIn: (first: boolean) => void
}

function useSteps({ bootstrap, username = '', onSignedIn }: SignInFlowProps) {
  const { t } = useTranslation('signIn')
  const [step, setStep] = useState<Step>({ name: 'credentials' })
  // Kept in memory for as long as the sign-in takes: whoever must change his password need not type the old one twice.
  const [who, setWho] = useState({ username, password: '' })
  const done = () => onSignedIn(bootstrap)
  const goOn = (changeFirst: boolean) => (changeFirst ? setStep({ name: 'change' }) : done())

  return {
    step,
    who,
    setStep,
    done,
    goOn,
    answered: async (answer: LoginAnswer, credentials: { username: string; password: string }) => {
      setWho(credentials)
      if (answer.authenticated) goOn(answer.password_change_required)
      else if (answer.requires_totp) setStep({ name: 'code', recovery: false })
      else if (answer.can_restart_totp_setup) setStep({ name: 'enrol', setup: null })
      else setStep({ name: 'enrol', setup: await call(setupTotp, { body: {} }) })
    },
    verified: (answer: Verified, byRecovery: boolean) => {
      if (byRecovery) notifications.show({ message: t('code.left', { count: answer.recovery_codes_left }) })
      const codes = answer.recovery_codes
      if (codes) setStep({ name: 'codes', codes, changeAfter: answer.password_change_required })
      else goOn(answer.password_change_required)
    },
    anew: async () => setStep({ name: 'enrol', setup: await call(restartTotpSetup, { body: {} }) }),
    startOver: () => {
      setWho({ username: '', password: '' })
      setStep({ name: 'credentials' })
      // The session that waits for its code is of no use any more; when it cannot be ended it ends by itself.
      call(logout).catch(() => undefined)
    },
  }
}

/** All that signing in can take: password, second factor or its enrolment, recovery codes, a password of one's own. */
export function SignInFlow(props: SignInFlowProps) {
  const { t } = useTranslation('signIn')
  const { step, who, setStep, done, goOn, answered, verified, anew, startOver } = useSteps(props)
  const { Heading } = props
  const other = <OtherUser onClick={startOver} />
  switch (step.name) {
    case 'credentials':
      return (
        <>
          {props.intro}
          <Credentials creating={props.bootstrap} username={who.username} onAnswer={answered} />
        </>
      )
    case 'code':
      return (
        <>
          <Heading
            title={t('code.title')}
            text={step.recovery ? t('code.recoveryText') : t('code.text', { account: who.username })}
          />
          <CodeForm
            key={String(step.recovery)}
            kind={step.recovery ? 'recovery' : 'digits'}
            label={step.recovery ? t('code.recovery') : t('code.label')}
            submitLabel={t('code.verify')}
            onVerified={(answer) => verified(answer, step.recovery)}
          />
          <Group justify="space-between" mt={12}>
            <Anchor
              component="button"
              type="button"
              fz={12}
              onClick={() => setStep({ name: 'code', recovery: !step.recovery })}
            >
              {step.recovery ? t('code.useApp') : t('code.useRecovery')}
            </Anchor>
            {other}
          </Group>
        </>
      )
    case 'enrol':
      return (
        <>
          <Heading
            title={step.setup ? t('enrol.title') : t('enrol.begunTitle')}
            text={step.setup ? t('enrol.text') : t('enrol.begunText')}
          />
          <Enrolment setup={step.setup} onAnew={anew} onVerified={(answer) => verified(answer, false)} />
          <Group mt={12}>{other}</Group>
        </>
      )
    case 'codes':
      return (
        <>
          <Heading title={t('recovery.title')} text={t('recovery.text')} />
          <RecoveryCodes codes={step.codes} account={who.username} onKept={() => goOn(step.changeAfter)} />
        </>
      )
    case 'change':
      return (
        <>
          <Heading title={t('change.title')} text={t('change.text')} />
          <GivenPassword username={who.username} known={who.password} onChanged={done} />
          <Group justify="flex-end" mt={12}>
            {other}
          </Group>
        </>
      )
  }
}
