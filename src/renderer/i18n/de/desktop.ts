import type { desktop as english } from '../en/desktop.ts'
import type { Translation } from '../translation.ts'

export const desktop: Translation<typeof english> = {
  browser: {
    title: 'Diese Einstellungen gehören zur Desktop-App',
    text: 'Weiterlaufen im Hintergrund, Benachrichtigungen und Updates stellen Sie in der Desktop-App auf jedem Computer ein.',
    open: 'Desktop-App öffnen',
    install: 'Desktop-App installieren',
  },
  saved: 'Schalter werden sofort gespeichert, nur für diesen Computer.',
  groups: { background: 'Hintergrund', notifications: 'Benachrichtigungen', updates: 'Updates' },
  run_in_background: {
    title: 'Im Hintergrund weiterlaufen',
    text: 'Zeitpläne und Läufe gehen weiter, nachdem Sie das letzte Fenster geschlossen haben.',
    mac: 'Unter macOS laufen Apps weiter, bis Sie sie beenden.',
  },
  noTray:
    'Diese Desktopumgebung zeigt keine Symbole im Infobereich. Starten Sie Headgate noch einmal, um das Fenster zu öffnen, oder installieren Sie in GNOME eine Erweiterung für AppIndicators.',
  open_at_login: {
    title: 'Bei der Anmeldung starten',
    text: 'Startet Headgate im Infobereich ohne Fenster.',
    cannot: 'Nur eine installierte App kann bei der Anmeldung starten.',
  },
  keep_awake: {
    title: 'Computer während Läufen wach halten',
    text: 'Verhindert den automatischen Ruhezustand, aber nicht den beim Schließen des Deckels.',
  },
  notify_failures: {
    title: 'Über fehlgeschlagene Läufe benachrichtigen',
    text: 'Zeigt eine Benachrichtigung über fehlgeschlagene Läufe und Job-Läufe, wenn kein Fenster im Fokus ist.',
  },
  update_feed_url: {
    title: 'Update-URL',
    text: 'HTTPS-Adresse, von der neue Versionen geladen werden. Lassen Sie das Feld leer, um Updates auszuschalten.',
  },
  update: {
    notInstalled: 'Headgate {{version}}. Nur eine aus einem Paket installierte App kann sich selbst aktualisieren.',
    off: 'Headgate {{version}}. Updates sind ausgeschaltet, weil keine Update-URL gesetzt ist.',
    current: 'Headgate {{version}} ist aktuell.',
    lastChecked: 'Zuletzt gesucht:',
    checking: 'Updates werden gesucht …',
    downloading: 'Headgate {{version}} wird heruntergeladen …',
    progress: 'Fortschritt des Downloads',
    ready: 'Headgate {{version}} ist bereit. Starten Sie neu, um zu aktualisieren.',
    failed: 'Die Suche nach Updates ist fehlgeschlagen: {{message}}',
    check: 'Nach Updates suchen',
    install: 'Neu starten und aktualisieren',
  },
}
