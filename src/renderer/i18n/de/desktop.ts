import type { desktop as english } from '../en/desktop.ts'
import type { Translation } from '../translation.ts'

export const desktop: Translation<typeof english> = {
  browser: {
    title: 'Das sind Einstellungen der Desktop-App',
    text: 'Eine Seite im Browser hat kein Symbol im Infobereich, keinen Start mit der Anmeldung und keine Updates. Öffnen Sie diese Seite in Headgates eigenem Fenster.',
  },
  groups: { background: 'Im Hintergrund', news: 'Mitteilungen', updates: 'Updates' },
  run_in_background: {
    title: 'Weiterlaufen, wenn das letzte Fenster geschlossen wird',
    text: 'Zeitpläne lösen aus und Läufe gehen weiter; das Symbol im Infobereich holt das Fenster zurück. Aus: Mit dem letzten Fenster endet Headgate.',
    mac: 'Auf dem Mac läuft eine App immer weiter, bis sie beendet wird.',
  },
  noTray:
    'Dieser Desktop zeigt keine Symbole von Apps im Hintergrund. Ein zweiter Start von Headgate holt das Fenster zurück. In GNOME zeigt eine Erweiterung für AppIndicators das Symbol.',
  open_at_login: {
    title: 'Mit der Anmeldung starten',
    text: 'Headgate startet im Infobereich, ohne Fenster.',
    cannot: 'Nur eine installierte App kann zu den Anmeldeobjekten dieses Systems gehören.',
  },
  keep_awake: {
    title: 'Rechner wach halten, solange etwas läuft',
    text: 'Er schläft nicht von selbst ein, bevor der letzte Lauf zu Ende ist. Wer den Deckel schließt, schickt ihn trotzdem schlafen; kein Lauf geht dadurch verloren.',
  },
  notify_failures: {
    title: 'Fehlgeschlagene Läufe melden',
    text: 'Eine Mitteilung für jeden Lauf oder Job-Lauf, der fehlschlägt, während kein Fenster den Fokus hat. Aus vielen wird eine.',
  },
  update_feed_url: {
    title: 'Adresse der Updates',
    text: 'Ein https-Ordner mit den Dateien neuer Versionen. Leer: Niemand wird gefragt.',
  },
  update: {
    notInstalled:
      'Headgate {{version}}. Nur eine App, die aus einem Paket installiert wurde, kann sich selbst aktualisieren.',
    off: 'Headgate {{version}}. Keine Adresse ist gesetzt: Niemand wird nach Updates gefragt.',
    current: 'Headgate {{version}} ist die neueste Version. Nach Updates gesucht:',
    neverChecked: 'noch nicht',
    checking: 'Updates werden gesucht …',
    downloading: 'Headgate {{version}} wird heruntergeladen.',
    progress: 'Herunterladen',
    ready: 'Headgate {{version}} ist bereit und startet mit dem nächsten Start der App.',
    failed: 'Die Suche nach Updates ist fehlgeschlagen: {{message}}',
    check: 'Jetzt suchen',
    install: 'Neu starten und aktualisieren',
  },
}
