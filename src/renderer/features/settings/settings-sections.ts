import {
  IconAdjustments,
  IconBell,
  IconContrast2,
  IconDatabase,
  IconDatabaseExport,
  IconDeviceDesktop,
  IconKey,
  IconLink,
  IconNotes,
  IconPalette,
  IconServerCog,
  IconShieldLock,
  IconSparkles,
  IconStack2,
  type TablerIcon,
} from '@tabler/icons-react'
import type { OperationId } from '../../../contract/operations.ts'
import type { settings } from '../../i18n/en/settings.ts'
import type { SettingsSection } from '../../paths.ts'

export interface SectionEntry {
  section: SettingsSection
  /** Its word, in `settings.tabs`. */
  word: keyof (typeof settings)['tabs']
  icon: TablerIcon
  needs?: OperationId
}

export interface SectionGroup {
  name: 'you' | 'work' | 'server'
  entries: readonly SectionEntry[]
}

/** The sections of the settings, in order; who may not perform what one needs does not see it. */
export const sectionGroups: readonly SectionGroup[] = [
  {
    name: 'you',
    entries: [
      { section: 'appearance', word: 'appearance', icon: IconContrast2 },
      { section: 'desktop', word: 'desktop', icon: IconDeviceDesktop },
      { section: 'api-keys', word: 'apiKeys', icon: IconKey },
    ],
  },
  {
    name: 'work',
    entries: [
      { section: 'notifications', word: 'notifications', icon: IconBell },
      { section: 'pools', word: 'pools', icon: IconStack2 },
      { section: 'ai-references', word: 'aiReferences', icon: IconNotes },
      { section: 'ai-usage', word: 'aiUsage', icon: IconSparkles, needs: 'generateTask' },
      { section: 'public-links', word: 'publicLinks', icon: IconLink, needs: 'listAllShares' },
    ],
  },
  {
    name: 'server',
    entries: [
      { section: 'server', word: 'server', icon: IconServerCog, needs: 'getServerInfo' },
      { section: 'configuration', word: 'configuration', icon: IconAdjustments, needs: 'getServerConfig' },
      { section: 'branding', word: 'branding', icon: IconPalette, needs: 'updateBranding' },
      { section: 'backups', word: 'backups', icon: IconDatabaseExport, needs: 'listBackups' },
      { section: 'store', word: 'store', icon: IconDatabase, needs: 'getStoreInfo' },
      { section: 'secrets', word: 'secrets', icon: IconShieldLock, needs: 'getSecretsState' },
    ],
  },
]
