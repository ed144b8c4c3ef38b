import { useTranslation } from 'react-i18next'
import type { AiUsageRow } from '../../../contract/ai-usage.ts'
import { moneyText } from '../../ui/format.ts'

/** The cost of a row or of all; without the price of a part it is the least that they cost. Undefined: no part has a price. */
export function useCostText() {
  const { t } = useTranslation('aiUsage')
  return ({ cost, unpriced_tokens }: Pick<AiUsageRow, 'cost' | 'unpriced_tokens'>, currency: string) => {
    if (cost === null) return undefined
    const text = moneyText(cost, currency)
    return unpriced_tokens > 0 ? t('atLeast', { cost: text }) : text
  }
}
