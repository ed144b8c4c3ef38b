import type { ApiFailure } from '../api/client.ts'

/** What the server refused in one text, where there is no room for a list. */
export const failureText = ({ message, details }: Pick<ApiFailure, 'message' | 'details'>): string =>
  details.length === 0 ? message : `${message}: ${details.map((detail) => detail.message).join('; ')}`
