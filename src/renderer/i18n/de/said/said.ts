import type { Said } from '../../said.ts'
import { sentencesOf } from '../../message-sentences.ts'
import { messages } from '../messages/messages.ts'
import { serverTexts } from '../server-texts.ts'
import { changePhrases } from './changes.ts'
import { editorPhrases } from './editor.ts'
import { fragments } from './fragments.ts'
import { galleryTexts } from './gallery.ts'
import { jobFindings, jobFragments } from './job-findings.ts'
import { stepLabels } from './labels.ts'
import { operationTexts } from './operations.ts'
import { refusalFragments, refusals } from './refusals.ts'
import { stepFindings, stepFragments } from './step-findings.ts'
import { taskFindings } from './task-findings.ts'
import { textFindings } from './text-findings.ts'

/** All that is said in English elsewhere. `test/renderer/i18n/said.test.ts` names what is missing. */
export const said: Said = {
  texts: { ...serverTexts, ...galleryTexts, ...operationTexts },
  sentences: {
    ...textFindings,
    ...taskFindings,
    ...stepFindings,
    ...jobFindings,
    ...refusals,
    ...sentencesOf(messages),
  },
  fragments: { ...fragments, ...stepFragments, ...jobFragments, ...refusalFragments },
  labels: { ...stepLabels, ...changePhrases },
  messages,
  words: refusalFragments,
  editor: editorPhrases,
}
