import type { AiProvider } from '../../contract/ai.ts'

const standard: Readonly<Record<Exclude<AiProvider, 'compatible'>, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  mistral: 'https://api.mistral.ai/v1',
}

/** Where requests to the AI provider go. null: `compatible` has no address of its own. */
export const baseUrlOf = (provider: AiProvider, baseUrl: string | null): string | null =>
  baseUrl ?? (provider === 'compatible' ? null : standard[provider])
