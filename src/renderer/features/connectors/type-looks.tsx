import { IconDatabase, IconFileDatabase, IconFolder, IconPlug, type TablerIcon } from '@tabler/icons-react'

const icons: Readonly<Record<string, TablerIcon>> = {
  file: IconFolder,
  sqlite: IconFileDatabase,
  postgres: IconDatabase,
}

/** The icon of a connector type; one that this window does not know yet gets a plug. */
export function ConnectorIcon({ type, size = 15 }: { type: string; size?: number }) {
  const Icon = icons[type] ?? IconPlug
  return <Icon size={size} stroke={1.6} aria-hidden style={{ flex: 'none', verticalAlign: '-3px' }} />
}
