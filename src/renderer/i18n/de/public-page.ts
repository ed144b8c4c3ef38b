import type { publicPage as english } from '../en/public-page.ts'
import type { Translation } from '../translation.ts'

export const publicPage: Translation<typeof english> = {
  filters: 'Filter dieses Links',
  none: 'keine Auswahl',
  expires: 'Dieser Link funktioniert bis {{date}}.',
  failure: {
    gone: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Er ist abgelaufen, widerrufen oder unvollständig. Bitte die Person, von der du ihn hast, um einen neuen Link.',
    },
    offline: { title: 'Server nicht erreichbar', text: 'Prüfe die Verbindung und versuche es noch einmal.' },
    tooMany: { title: 'Zu viele Anfragen', text: 'Warte einige Sekunden und versuche es noch einmal.' },
    filters: {
      title: 'Ungültige Filter',
      text: 'Dieses Dashboard nimmt die Filter in der Adresse nicht an. Setze die Filter zurück und versuche es noch einmal.',
    },
    unavailable: { title: 'Zurzeit nicht verfügbar', text: 'Versuche es in einigen Sekunden noch einmal.' },
  },
}
