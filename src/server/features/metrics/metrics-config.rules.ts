/** Days that metrics are kept unless set otherwise: a year, and a month to compare it with. */
export const defaultRetentionDays = 400

const dayMs = 86_400_000
/** The time before which roll-ups are let go; 0 days: never. */
export const keptSince = (days: number, now: number): number => (days === 0 ? -Infinity : now - days * dayMs)
