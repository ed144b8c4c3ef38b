/** Reads long texts of dashboard templates beside the window's own thread. */
import { parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { answerQuestions } from '../../ui/worker-questions.ts'

// What job templates there are is the server's to know.
answerQuestions((text: string) => parseDashboard(text))
