import type { publicPage as english } from '../en/public-page.ts'
import type { Translation } from '../translation.ts'

export const publicPage: Translation<typeof english> = {
  filters: 'Filter dieses Links',
  expires: 'Dieser Link funktioniert bis {{date}}.',
  failure: {
    gone: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Er ist abgelaufen, widerrufen oder unvollständig. Bitten Sie die Person, von der Sie ihn haben, um einen neuen Link.',
    },
    offline: { title: 'Server nicht erreichbar', text: 'Prüfen Sie die Verbindung und versuchen Sie es noch einmal.' },
    tooMany: { title: 'Zu viele Anfragen', text: 'Warten Sie einige Sekunden und versuchen Sie es noch einmal.' },
    filters: {
      title: 'Ungültige Filter',
      text: 'Dieses Dashboard nimmt die Filter in der Adresse nicht an. Setzen Sie die Filter zurück und versuchen Sie es noch einmal.',
    },
    unavailable: { title: 'Zurzeit nicht verfügbar', text: 'Versuchen Sie es in einigen Sekunden noch einmal.' },
  },
}
