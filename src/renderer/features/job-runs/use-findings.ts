import { useDebouncedValue } from '@mantine/hooks'
import type { TextFinding } from '../../ui/code/editor-knowledge.ts'
import { useReading } from '../../ui/document/reading.ts'
import { taskReader } from '../tasks/task-reader.ts'

/** What the language itself has to say about a task's text; the server judges the rest when it is reviewed. */
export function useFindings(text: string): readonly TextFinding[] {
  const [settled] = useDebouncedValue(text, 200)
  return useReading(taskReader, settled).parsed.diagnostics
}
