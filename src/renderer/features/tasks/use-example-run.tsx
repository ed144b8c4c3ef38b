import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { getServerInfo } from '../../../contract/server.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import type { GalleryTask } from './gallery.ts'
import { databaseSlot, exampleNeeds, runExample } from './run-example.ts'

interface ExampleRun {
  /** Undefined: not for this role. */
  button: ReactNode
  error: Error | null
}

/** The button that runs an example with sample data, and why it failed. */
export function useExampleRun(example: GalleryTask): ExampleRun {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const mayConnect = can('createConnector') && can('getServerInfo')
  const info = useOperation(getServerInfo, {}, { enabled: mayConnect })
  // The second click of a double click comes before the button shows that it works.
  const busy = useRef(false)
  const run = useMutation({
    mutationFn: () => runExample(example, info.data?.demo_database),
    onSuccess: (id) => void navigate(paths.run(id)),
    onSettled: () => {
      busy.current = false
      void client.invalidateQueries()
    },
  })
  const may = can('createTask') && can('triggerRun') && can('uploadFile')
  if (!may) return { button: undefined, error: null }
  const runs = Object.hasOwn(exampleNeeds, example.id)
  const writesTables = example.slots.includes(databaseSlot) || exampleNeeds[example.id]?.after !== undefined
  const refused = !runs ? t('gallery.ownSystems') : writesTables && !mayConnect ? t('gallery.needsAdmin') : undefined
  return {
    button: (
      <CommandButton
        id="gallery.run"
        needsServer
        label={t('gallery.run')}
        icon={IconPlayerPlay}
        variant="default"
        hint={refused ?? t('gallery.runHint')}
        disabled={refused !== undefined || (writesTables && info.data === undefined)}
        loading={run.isPending}
        onClick={() => {
          if (busy.current) return
          busy.current = true
          run.mutate()
        }}
      />
    ),
    error: run.error,
  }
}
