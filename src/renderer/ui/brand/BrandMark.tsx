import { Mark } from '../Mark.tsx'
import { useBranding } from './use-branding.ts'

/** The logo of the control plane, or the product's own mark. A wide logo keeps its shape. */
export function BrandMark({ size = 20, maxWidth = size * 5 }: { size?: number; maxWidth?: number }) {
  const { logo_data_url: logo } = useBranding()
  if (!logo) return <Mark size={size} />
  return <img src={logo} alt="" style={{ height: size, maxWidth, objectFit: 'contain', flex: 'none' }} />
}
