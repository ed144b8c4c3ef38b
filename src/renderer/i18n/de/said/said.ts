import { texts } from '../../../../contract/messages.ts'
import { texts as findings } from '../../../../language/messages.ts'
import type { Said } from '../../said.ts'
import { sentencesOf } from '../../message-sentences.ts'
import { diagnostics } from '../diagnostics/diagnostics.ts'
import { messages } from '../messages/messages.ts'
import { serverTexts } from '../server-texts.ts'
import { changePhrases } from './changes.ts'
import { editorPhrases } from './editor.ts'
import { galleryTexts } from './gallery.ts'
import { stepLabels } from './labels.ts'
import { operationTexts } from './operations.ts'
import { refusalFragments, refusals } from './refusals.ts'
import { runMessages } from '../run-messages/run-messages.ts'

/** All that is said in English elsewhere. `test/renderer/i18n/said.test.ts` names what is missing. */
export const said: Said = {
  texts: { ...serverTexts, ...galleryTexts, ...operationTexts },
  sentences: {
    ...refusals,
    ...sentencesOf(findings, diagnostics),
    ...sentencesOf(texts, messages),
  },
  fragments: { ...sentencesOf(findings, diagnostics), ...refusalFragments },
  labels: { ...stepLabels, ...changePhrases },
  messages,
  findings: { ...diagnostics, ...runMessages },
  words: refusalFragments,
  editor: editorPhrases,
}
