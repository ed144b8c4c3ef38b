/** The steps of zooming, in percent: those of Chromium's own menu. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300]

export type ZoomChange = 'in' | 'out' | 'reset'

export function zoomed(percent: number, change: ZoomChange): number {
  if (change === 'reset') return 100
  const next = change === 'in' ? STEPS.find((step) => step > percent) : STEPS.findLast((step) => step < percent)
  return next ?? percent
}

/** What was saved, or 100. */
export function readZoom(saved: unknown): number {
  return STEPS.find((step) => step === saved) ?? 100
}
