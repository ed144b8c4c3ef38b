import type { Catalog } from '../../translate.ts'
import { diagnostics } from '../diagnostics/diagnostics.ts'
import { entityTexts } from '../entities.ts'
import { galleryTexts } from '../gallery.ts'
import { messages } from '../messages/messages.ts'
import { operationTexts } from '../operations.ts'
import { runMessages } from '../run-messages/run-messages.ts'
import { serverTexts } from '../server-texts.ts'
import { changePatterns } from './changes.ts'
import { editorWords } from './editor.ts'
import { errors } from './errors.ts'
import { stepLabels } from './labels.ts'
import { words } from './words.ts'

/** What is said in English elsewhere, by its code. `test/renderer/i18n/translate.test.ts` names what is missing. */
export const catalog: Catalog = {
  texts: serverTexts,
  gallery: galleryTexts,
  operations: operationTexts,
  entities: entityTexts,
  messages,
  errors,
  findings: { ...diagnostics, ...runMessages },
  words,
  labels: { ...stepLabels, ...changePatterns },
  editor: editorWords,
}
