/** Reads long texts of tasks beside the window's own thread. */
import { answerQuestions } from '../../ui/worker-questions.ts'
import { readTask } from './read-task.ts'

answerQuestions(readTask)
