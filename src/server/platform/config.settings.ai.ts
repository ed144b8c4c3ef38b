/** Settings of AI generation. */
import { type AiProvider, type AiRows, aiProviders, aiRowsChoices } from '../../contract/ai.ts'
import { currency, modelPrices } from './ai-prices.ts'
import { type Setting, choice, integer, secret, text, webAddress } from './config.setting-kinds.ts'

export interface AiSettings {
  'ai.provider': AiProvider
  'ai.base_url': string | null
  'ai.model': string | null
  'ai.rows': AiRows
  'ai.daily_tokens': number
  'ai.prices': string[]
  'ai.currency': string
  'ai.api_key': string | null
}

export const aiSettings: { readonly [K in keyof AiSettings]: Setting<AiSettings[K]> } = {
  'ai.provider': choice(
    {
      env: 'SVC_AI_PROVIDER',
      title: 'AI provider',
      // The key that is stored goes to whoever it is.
      superadminOnly: true,
      description: '`compatible` is any server with the OpenAI API, such as Ollama. It needs a base URL.',
    },
    'openai',
    aiProviders,
  ),
  'ai.base_url': webAddress({
    env: 'SVC_AI_BASE_URL',
    title: 'AI base URL',
    description: 'By default the provider’s own, such as `https://api.openai.com/v1`. The AI key is sent there.',
  }),
  'ai.model': text({ env: 'SVC_AI_MODEL', title: 'AI model', description: 'Name of the model at the provider.' }, 200),
  'ai.rows': choice(
    {
      env: 'SVC_AI_ROWS',
      title: 'Rows for AI',
      description: '`ask`: editors can send some rows of a table or file with a prompt, after they have seen them.',
    },
    'never',
    aiRowsChoices,
  ),
  'ai.daily_tokens': integer(
    {
      env: 'SVC_AI_DAILY_TOKENS',
      title: 'AI tokens per day',
      description: 'Requests are refused once this many tokens were used since midnight UTC. Set to 0 for no limit.',
      unit: 'tokens',
    },
    1_000_000,
    0,
    1_000_000_000,
  ),
  'ai.prices': modelPrices({
    env: 'SVC_AI_PRICES',
    title: 'AI prices',
    description:
      'Model, input price, and output price per million tokens, such as `gpt-5-mini 0.25 2`. Without prices, no cost is shown.',
  }),
  'ai.currency': currency(
    { env: 'SVC_AI_CURRENCY', title: 'AI currency', description: 'Currency of the prices, such as `EUR`.' },
    'USD',
  ),
  'ai.api_key': secret({
    env: 'SVC_AI_API_KEY',
    title: 'AI key',
    description: 'API key of the AI provider. Without it, AI generation is off.',
  }),
}
