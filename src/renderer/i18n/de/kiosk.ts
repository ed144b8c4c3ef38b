import type { kiosk as english } from '../en/kiosk.ts'
import type { Translation } from '../translation.ts'

export const kiosk: Translation<typeof english> = {
  start: 'Als Vollbild zeigen',
  numbered: 'Dashboard #{{id}}',
  place: 'Dashboard {{at}} von {{count}}',
  page: 'Seite {{at}} von {{count}}',
  every: 'Dashboards wechseln',
  after: 'Alle {{span}}',
  stays: 'Nur auf Wunsch',
  next: 'Nächstes Dashboard',
  previous: 'Vorheriges Dashboard',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  leave: 'Kiosk beenden',
  empty: 'Keine Dashboards ausgewählt',
  emptyText: 'Wählen Sie in der Liste Dashboards aus, und klicken Sie auf „Als Vollbild zeigen“.',
}
