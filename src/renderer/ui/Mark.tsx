/** The product's mark: a sluice gate with water below it. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--hg-accent)" />
      <path d="M8 6v20M24 6v20" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <path d="M8 11h16" stroke="#fff" strokeWidth="3" />
      <path d="M11 20c2-2 3.3-2 5 0s3 2 5 0" fill="none" stroke="#7fd4e4" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
