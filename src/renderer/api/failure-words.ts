/** What a failed call says where its message is shown as it is: in forms, dialogs and passing notes. Each names what to do. */
import i18next from 'i18next'
import type { ErrorBody } from '../../contract/errors.ts'
import { translateMessage } from '../i18n/translate.ts'

/** What was only read heals by itself; what was to be changed has to be sent again. */
export const noAnswer = (method: string) => i18next.t(method === 'GET' ? 'error.noAnswer' : 'error.noAnswerToChange')
export const noReason = (status: number) => i18next.t('error.noReason', { status })
export const unreadable = () => i18next.t('error.unreadable')

/** With its end, where another one follows. */
export const sentence = (message: string): string => message.replace(/[^.!?…]$/, '$&.')

/** The server's own sentence, and what to do about it where it cannot know: wait, or look into its log. */
export function messageOf(status: number, body: ErrorBody, retryAfter: number | undefined): string {
  // Without a message of its own, an answer says what its code stands for.
  const message = translateMessage({ ...body, code: body.code ?? body.error })
  if (status === 429 && retryAfter)
    return i18next.t('error.withWait', { message: sentence(message), count: retryAfter })
  if (body.error === 'INTERNAL_ERROR' && body.request_id) {
    return i18next.t('error.withRequest', { message: sentence(message), id: body.request_id })
  }
  return message
}
