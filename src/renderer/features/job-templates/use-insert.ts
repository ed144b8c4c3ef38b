import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { getTask } from '../../../contract/tasks.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { operationQuery } from '../../api/queries.ts'
import type { DocumentText } from '../../ui/document/use-document-text.ts'
import { type Inserted, type TemplateParts, insertGate, insertTask } from './insert-task.ts'
import { readTemplate } from './template-reader.ts'
import type { Pick } from './palette-drag.ts'
import { namesWith } from './text-insert.ts'

/** What a template has already. */
function partsOf(text: string): TemplateParts {
  const { connector_refs, parameters, nodes } = readTemplate(text)
  const written = namesWith(text, 'connectors', 'access')
  const connectors = Object.entries(connector_refs).map(([name, slot]): [string, ConnectorSlot] => [
    name,
    written.has(name) ? slot : { ...slot, access: 'read_write' },
  ])
  return { connectors: Object.fromEntries(connectors), parameters, keys: nodes.map((node) => node.key) }
}

interface Insert {
  /** Task that is being read. */
  adding: number | null
  add(pick: Pick, after: string[]): Promise<void>
}

/** Adds what was picked from the palette to the text as it is at that moment, and shows it there. */
export function useInsert(
  text: DocumentText<ParsedJob>,
  latestText: () => string,
  onAdded: (added: Inserted) => void,
): Insert {
  const { t } = useTranslation('jobTemplates')
  const client = useQueryClient()
  const [adding, setAdding] = useState<number | null>(null)

  const put = (added: Inserted) => {
    // The editor has the new text before it is asked to show a line of it.
    flushSync(() => text.setText(added.text))
    onAdded(added)
  }
  const add = async (pick: Pick, after: string[]) => {
    if (pick.kind === 'gate') {
      const now = latestText()
      const keys = readTemplate(now).nodes.map((node) => node.key)
      put(insertGate(now, keys, t('palette.gateQuestion'), after))
      return
    }
    setAdding(pick.id)
    try {
      const task = await client.fetchQuery({
        ...operationQuery(getTask, { params: { id: pick.id } }),
        staleTime: 5000,
      })
      const { connector_refs, arguments: specs } = parseTask(task.yaml_content)
      const now = latestText()
      put(insertTask(now, { name: task.name, connectors: connector_refs, arguments: specs }, partsOf(now), after))
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      notifications.show({ color: 'red', message: t('palette.failed', { message }) })
    } finally {
      setAdding(null)
    }
  }
  return { adding, add }
}
