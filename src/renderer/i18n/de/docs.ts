import type { docs as english } from '../en/docs.ts'
import type { Translation } from '../translation.ts'

export const docs: Translation<typeof english> = {
  title: 'Dokumentation',
  pages: 'Seiten der Dokumentation',
  language: 'Nur auf Englisch verfügbar.',
  onThisPage: 'Auf dieser Seite',
  turn: 'Vorherige und nächste Seite',
  before: 'Zurück',
  next: 'Weiter',
  missing: {
    title: 'Seite nicht gefunden',
    text: 'Die Dokumentation hat keine Seite „{{page}}“. Suchen Sie in der Dokumentation oder öffnen Sie die erste Seite.',
    action: 'Erste Seite öffnen',
  },
  search: {
    label: 'Dokumentation durchsuchen',
    placeholder: 'Suchen',
    command: 'Dokumentation durchsuchen',
    results_one: '{{count, number}} Treffer',
    results_other: '{{count, number}} Treffer',
    place: '{{at, number}} von {{count, number}}',
    previous: 'Voriger Treffer',
    next: 'Nächster Treffer',
    nothing: 'Keine Treffer für „{{query}}“',
    nothingText: 'Versuchen Sie es mit weniger Wörtern, einem Schlüssel wie depends_on oder einem Fehlercode.',
    loading: 'Wird gesucht …',
  },
}
