import type { docs as english } from '../en/docs.ts'
import type { Translation } from '../translation.ts'

export const docs: Translation<typeof english> = {
  title: 'Dokumentation',
  pages: 'Seiten der Dokumentation',
  onThisPage: 'Auf dieser Seite',
  turn: 'Seiten davor und danach',
  before: 'Zurück',
  next: 'Weiter',
  missing: {
    title: 'Diese Seite gibt es nicht',
    text: 'Die Dokumentation hat keine Seite „{{page}}“. Nach dem Gesuchten suchen oder vorn beginnen.',
    action: 'Erste Seite öffnen',
  },
  search: {
    label: 'Dokumentation durchsuchen',
    placeholder: 'Suchen',
    command: 'Dokumentation durchsuchen',
    results_one: '{{count, number}} Stelle',
    results_other: '{{count, number}} Stellen',
    nothing: 'Zu „{{query}}“ wurde nichts gefunden',
    nothingText: 'Weniger Wörter versuchen, den Namen eines Schlüssels wie depends_on oder einen Fehlercode.',
    loading: 'Wird gesucht …',
  },
}
