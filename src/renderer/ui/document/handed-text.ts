import { createHandover } from '../../api/handover.ts'
import type { DraftKey } from './draft.ts'

/** Texts that come from a file, on their way into an editor. */
export const handedTexts = createHandover<DraftKey, string>()
