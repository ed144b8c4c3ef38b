import { Button } from '@mantine/core'
import { IconAlertTriangle, IconDeviceFloppy } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Location } from 'react-router'
import { useCommands } from '../commands/commands.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import classes from './FormShell.module.css'
import { Hint } from './Hint.tsx'
import { useLeaving } from './use-leaving.ts'

/** Whether going there takes the form from the page. */
export type Leaves = (from: Location, to: Location) => boolean
const otherPage: Leaves = (from, to) => from.pathname !== to.pathname

/** Asks before unsaved input is lost, by leaving within the app or by closing the window. */
export function UnsavedGuard({ dirty, leaves = otherPage }: { dirty: boolean; leaves?: Leaves | undefined }) {
  const { t } = useTranslation()
  const leaving = useLeaving(({ currentLocation, nextLocation }) => dirty && leaves(currentLocation, nextLocation))
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', warn)
    return () => globalThis.removeEventListener('beforeunload', warn)
  }, [dirty])
  return (
    <ConfirmDialog
      opened={leaving.asked}
      title={t('form.unsavedTitle')}
      text={t('form.unsavedText')}
      confirmLabel={t('form.discard')}
      danger
      onConfirm={leaving.go}
      onClose={leaving.stay}
    />
  )
}

export interface FormShellProps {
  onSubmit: () => void
  dirty: boolean
  busy: boolean
  submitLabel: string
  /** What is wrong with the whole, and what to do. */
  error?: ReactNode
  /** Above the fields: a conflict to be settled. */
  notice?: ReactNode
  onCancel?: () => void
  /** Between the buttons in the foot that save and cancel. */
  extra?: ReactNode
  /** Saving is possible without a change (a new record). */
  submitAlways?: boolean
  /** Buttons come with the first change. */
  footWhenDirty?: boolean
  /** Everything can be seen and nothing changed: no buttons. */
  readOnly?: boolean
  /** Default: another page does. */
  leaves?: Leaves
  children: ReactNode
}

const saveCommand = 'form.save'

function Foot(props: FormShellProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.foot}>
      <Hint command={saveCommand}>
        <Button type="submit" loading={props.busy} disabled={!props.dirty && !props.submitAlways}>
          {props.submitLabel}
        </Button>
      </Hint>
      {props.extra}
      {props.onCancel ? (
        <Button variant="default" onClick={props.onCancel} disabled={props.busy}>
          {t('form.cancel')}
        </Button>
      ) : null}
      {props.dirty ? <span className={classes.unsaved}>{t('form.unsaved')}</span> : null}
    </div>
  )
}

/** The one form: fields, one line of trouble, a foot with the buttons that stays in sight, and the unsaved guard. */
export function FormShell(props: FormShellProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  useCommands([
    {
      id: saveCommand,
      title: props.submitLabel,
      icon: IconDeviceFloppy,
      shortcut: 'mod+s',
      when: !props.readOnly,
      run: () => {
        if ((props.dirty || props.submitAlways) && !props.busy) props.onSubmit()
      },
    },
  ])
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <UnsavedGuard dirty={props.dirty && !props.busy} leaves={props.leaves} />
      {props.notice}
      <fieldset className={classes.body} disabled={props.readOnly}>
        {props.children}
      </fieldset>
      {props.error ? (
        <div className={classes.error} role="alert">
          <IconAlertTriangle size={15} aria-hidden />
          <div>{props.error}</div>
        </div>
      ) : null}
      {props.readOnly || (props.footWhenDirty && !props.dirty) ? null : <Foot {...props} />}
    </form>
  )
}

/** A group of fields under a heading. */
export function FormSection({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      {text ? <p className={classes.sectionText}>{text}</p> : null}
      {children}
    </fieldset>
  )
}
