/** Reads long texts of job templates beside the window's own thread. */
import { parseJob } from '../../../language/job/parse-job.ts'
import { answerQuestions } from '../../ui/worker-questions.ts'

// What tasks, pools and channels there are is the server's to know.
answerQuestions((text: string) => parseJob(text))
