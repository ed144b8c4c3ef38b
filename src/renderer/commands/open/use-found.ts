import { useDebouncedValue } from '@mantine/hooks'
import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { sectionGroups } from '../../features/settings/settings-sections.ts'
import { paths } from '../../paths.ts'
import { runNumberIn } from '../palette.rules.ts'
import { type Found, keyOf } from './found.ts'
import { type Ranked, rank, serverTerm } from './ranking.rules.ts'
import { useRecent } from './recent.ts'
import { serverSources } from './server-sources.ts'

const stillForMs = 120
const staleAfterMs = 10_000

interface FoundState {
  ranked: Ranked[]
  /** Some source has not answered yet what was typed last. */
  busy: boolean
  /** Sources that could not be asked. */
  failed: boolean
}

/** Sections of the settings and what they hold, as far as their words stand in the window itself. */
function useSections(): Found[] {
  const { t } = useTranslation('settings')
  const { can } = useSession()
  return sectionGroups
    .flatMap(({ entries }) => entries)
    .filter(({ needs }) => !needs || can(needs))
    .flatMap(({ section, word }): Found[] => {
      const to = paths.settings(section)
      const contents = t(`contents.${word}`).split('\n')
      const title = t(`tabs.${word}`)
      return [
        { kind: 'section', id: section, title, keywords: contents.join(' '), to },
        ...contents
          .filter((line) => line.trim() !== '' && line !== title)
          .map((line): Found => ({ kind: 'setting', id: `${section}/${line}`, title: line, hint: title, to })),
      ]
    })
}

/** What a source answered last. useQueries, unlike useQuery, has no data of the query before to keep. */
const lastAnswer = (client: QueryClient, source: string): Found[] | undefined =>
  client
    .getQueryCache()
    .findAll({ queryKey: ['palette', source] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ queryKey }) => client.getQueryData<Found[]>(queryKey))
    .find((data) => data !== undefined)

/** What "open anything" finds for what was typed; with nothing typed, what was opened lately. */
export function useFound(query: string, enabled: boolean, limit: number): FoundState {
  const { can } = useSession()
  const client = useQueryClient()
  const recent = useRecent()
  const sections = useSections()
  const [settled] = useDebouncedValue(query, stillForMs)
  const text = serverTerm(settled)
  const number = runNumberIn(settled)
  const allowed = useMemo(() => serverSources.filter(({ needs }) => !needs || can(needs)), [can])
  const answers = useQueries({
    queries: allowed.map((source) => ({
      queryKey: ['palette', source.name, source.whole ? null : { text, number }],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.load({ text, number }, signal),
      enabled: enabled && text !== '',
      staleTime: staleAfterMs,
      // What was found for the letters before is looked through for the new ones until their answer is here.
      placeholderData: () => (text === '' ? undefined : lastAnswer(client, source.name)),
      retry: false,
    })),
  })
  if (query.trim() === '') {
    return { ranked: recent.slice(0, limit).map((found) => ({ found, ranges: [] })), busy: false, failed: false }
  }
  const found = answers.flatMap(({ data }) => data ?? [])
  return {
    ranked: rank([...found, ...recent, ...sections], query, new Set(recent.map(keyOf)), limit),
    busy: settled !== query || answers.some(({ isFetching }) => isFetching),
    failed: answers.some(({ isError }) => isError),
  }
}
