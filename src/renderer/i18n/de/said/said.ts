import type { Said } from '../../said.ts'
import { serverTexts } from '../server-texts.ts'
import { changePhrases } from './changes.ts'
import { editorPhrases } from './editor.ts'
import { fragments } from './fragments.ts'
import { furtherRefusals, refusalFragments } from './further-refusals.ts'
import { galleryTexts } from './gallery.ts'
import { jobFindings, jobFragments } from './job-findings.ts'
import { stepLabels } from './labels.ts'
import { operationTexts } from './operations.ts'
import { refusals } from './refusals.ts'
import { signInRefusals } from './sign-in-refusals.ts'
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
    ...signInRefusals,
    ...furtherRefusals,
  },
  fragments: { ...fragments, ...stepFragments, ...jobFragments, ...refusalFragments },
  labels: { ...stepLabels, ...changePhrases },
  editor: editorPhrases,
}
