import type { Drafts } from './generate.ts'

/** What one kind of request brings to the loop that is the same for all. */
export interface Plan {
  /** The language, and the rules of its drafts. */
  system: string
  /** What leaves beside the prompt, the references, and the current text. What it cuts, it hides first: half a secret is not found. */
  facts: (hide: (text: string) => string) => Record<string, unknown>
  drafts: Drafts
}
