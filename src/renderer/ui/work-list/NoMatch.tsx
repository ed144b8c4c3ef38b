import { IconFilterOff } from '@tabler/icons-react'
import { EmptyState } from '../EmptyState.tsx'

/** What a list shows that is narrowed to nothing; the button that takes the filters back stands in its toolbar. */
export function NoMatch({ title, text }: { title: string; text?: string }) {
  return <EmptyState icon={IconFilterOff} title={title} text={text} />
}
