import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { parseTask } from '../../../language/task/parse-task.ts'
import type { TextFinding } from '../../ui/code/editor-knowledge.ts'

/** What the language itself has to say about a task's text; the server judges the rest when it is reviewed. */
export function useFindings(text: string): readonly TextFinding[] {
  const [settled] = useDebouncedValue(text, 200)
  return useMemo(() => parseTask(settled).diagnostics, [settled])
}
