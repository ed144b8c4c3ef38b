import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './client.ts'

/** Only what may pass by itself is tried again: a lost connection, an overloaded or restarting server. */
export const worthRetrying = (error: unknown) =>
  error instanceof ApiFailure && (error.code === 'NETWORK' || error.status === 503 || error.status === 502)

/** Events keep data fresh (events.ts), so nothing is fetched again for age, focus or a timer. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (count, error) =>
          count < 2 && worthRetrying(error) && !(error instanceof ApiFailure && error.status === 502),
        retryDelay: (count) => Math.min(300 * 2 ** count, 3000),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
