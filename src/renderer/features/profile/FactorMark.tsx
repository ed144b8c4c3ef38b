import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import classes from './profile.module.css'

/** Whether a second factor protects an account: icon and word. */
export function FactorMark({ on, label }: { on: boolean; label: string }) {
  const Icon = on ? IconShieldCheck : IconShieldOff
  return (
    <span className={classes.factor} data-on={on || undefined}>
      <Icon size={15} aria-hidden />
      {label}
    </span>
  )
}
