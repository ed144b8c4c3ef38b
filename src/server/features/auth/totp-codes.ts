const STEP_SECONDS = 30
const LONGEST_NAME = 60

/** Codes as authenticator apps make them (RFC 6238): 6 digits, 30 seconds, SHA-1. */
export interface TotpCodes {
  /** 160 random bits in base 32. */
  newSecret(): string
  url(secret: string, issuer: string, username: string): string
  /** An SVG document. */
  qr(url: string): string
  /** The time step whose code this is: the current one, the one before or the one after; undefined when it is none of them. */
  stepOf(secret: string, code: string, now: Date): number | undefined
}

/** Loaded when somebody has, or wants, a second factor. */
export async function loadTotpCodes(): Promise<TotpCodes> {
  const [{ generateSecret, generateURI, verifySync }, { renderSVG }] = await Promise.all([
    import('otplib'),
    import('uqr'),
  ])
  return {
    newSecret: () => generateSecret({ length: 20 }),
    url: (secret, issuer, username) => generateURI({ issuer: plain(issuer), label: plain(username), secret }),
    qr: (url) => renderSVG(url, { border: 4, pixelSize: 4 }),
    stepOf(secret, code, now) {
      const epoch = Math.floor(now.getTime() / 1000)
      const outcome = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS, period: STEP_SECONDS })
      return outcome.valid && 'timeStep' in outcome ? outcome.timeStep : undefined
    },
  }
}

/** As it may stand in an otpauth address, whose parts a colon separates, and in a QR code, which holds only so much. */
function plain(text: string): string {
  return [...text.toWellFormed().replaceAll(/[:\p{Cc}]/gu, ' ')].slice(0, LONGEST_NAME).join('').trim()
}
