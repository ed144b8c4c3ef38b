import type { lists as english } from '../en/lists.ts'
import type { Translation } from '../translation.ts'

export const lists: Translation<typeof english> = {
  history: {
    column: 'Letzte Läufe',
    rate: 'Erfolgsquote',
    failure: 'Letzter Fehler',
    label_one: 'Letzter Lauf',
    label_other: 'Letzte {{count, number}} Läufe',
    none: 'Noch nicht gelaufen',
    noneEnded: 'Noch keiner beendet',
    succeeded: '{{succeeded}} von {{ended}} erfolgreich',
    lastFailure: 'Letzter Fehler',
  },
}
