/** Lays graphs out beside the window's own thread, so that five hundred nodes never hold up a key stroke. */
import { answerQuestions } from '../worker-questions.ts'
import { layoutGraph } from './layout.ts'

answerQuestions(layoutGraph)
