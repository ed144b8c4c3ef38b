import { getAttention } from '../../../contract/attention.ts'
import { useOperation } from '../../api/queries.ts'
import { numberText } from '../../ui/format.ts'

/** How much needs someone, as text: `3`, `50+`; null where nothing does. */
export function useAttentionCount(): string | null {
  const { data } = useOperation(getAttention)
  const count = data?.items.length ?? 0
  return count === 0 ? null : `${numberText(count)}${data?.truncated ? '+' : ''}`
}
