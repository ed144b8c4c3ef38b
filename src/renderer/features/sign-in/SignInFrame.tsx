import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { BrandMark } from '../../ui/brand/BrandMark.tsx'
import { useBranding } from '../../ui/brand/use-branding.ts'
import classes from './SignInPage.module.css'

export interface SignInFrameProps {
  title: string
  /** Wider, for what is read rather than typed. */
  wide?: boolean
  /** The app stands behind it: it is a dialog, below which shortcuts and other dialogs rest. */
  covers?: boolean
  children: ReactNode
}

/** What every page before the first one stands in. */
export function SignInFrame({ title, wide, covers, children }: SignInFrameProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (!covers) return
    document.body.dataset.covered = 'yes'
    return () => {
      delete document.body.dataset.covered
    }
  }, [covers])
  return (
    <main className={classes.page} {...(covers ? { role: 'dialog', 'aria-modal': true, 'aria-label': title } : {})}>
      <SignInColumn wide={wide}>{children}</SignInColumn>
    </main>
  )
}

/** Logo, one column, where the server is and who helps. */
export function SignInColumn({ wide, children }: Pick<SignInFrameProps, 'wide' | 'children'>) {
  const { t } = useTranslation('signIn')
  const { support_url: supportUrl } = useBranding()
  return (
    <div className={classes.panel} data-wide={wide || undefined}>
      <BrandMark size={40} />
      {children}
      <p className={classes.foot}>
        {t('local', { host: globalThis.location.host })}
        {supportUrl ? (
          <>
            {' '}
            <a href={supportUrl} target="_blank" rel="noreferrer">
              {t('support')}
            </a>
          </>
        ) : null}
      </p>
    </div>
  )
}

/** The heading of a step. */
export function StepHeading({ title, text }: { title: string; text: string | null }) {
  return (
    <>
      <h1 className={classes.title}>{title}</h1>
      {text ? <p className={classes.text}>{text}</p> : null}
    </>
  )
}
