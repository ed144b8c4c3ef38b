/** What login answers, as the seed has it. `pending` is whether the session still waits for its code. */
export function loginResult(
  user: { totp_enabled: boolean; totp_sealed: string | null; password_change_required: boolean },
  pending: boolean,
) {
  return {
    requires_totp: pending && user.totp_enabled,
    needs_totp_setup: pending && !user.totp_enabled,
    can_restart_totp_setup: pending && !user.totp_enabled && user.totp_sealed !== null,
    authenticated: !pending,
    password_change_required: user.password_change_required,
  }
}

/** An address of this very computer. */
export const isLoopback = (address: string) => address === '::1' || /^(::ffff:)?127\./.test(address)
