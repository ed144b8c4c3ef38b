// What tray, notifications and the questions of an app in the background say. See words.ts for the rest.
import { languageOf } from '../words.ts'

const en = {
  starting: 'Headgate is starting…',
  stopped: 'The server isn’t running',
  idle: 'No active runs',
  underWay: (running: number) => (running === 1 ? '1 active run' : `${running} active runs`),
  waiting: (waiting: number) => `${waiting} queued`,
  paused: 'Triggers are paused',
  next: (when: string) => `Next run: ${when}`,
  noNext: 'No upcoming runs',
  failedSince: (count: number) => (count === 1 ? '1 new failed run' : `${count} new failed runs`),
  open: 'Open Headgate',
  newWindow: 'New window',
  pause: 'Pause triggers',
  resume: 'Resume triggers',
  failures: 'Failed in the last 24 hours',
  noFailures: 'No failures in the last 24 hours',
  allFailures: 'All failed runs',
  quit: 'Quit Headgate',
  quitWaits: (running: number) => `Quitting when ${running === 1 ? 'the run ends' : `${running} runs end`}`,
  runFailed: (name: string) => `${name} failed`,
  runsFailed: (count: number) => `${count} runs failed`,
  runsFailedBody: 'Click to view all failed runs.',
  quitQuestion: (running: number) => (running === 1 ? '1 run is active' : `${running} runs are active`),
  quitDetail: 'Stopped runs fail and are retried if their tasks allow it. While Headgate waits, no new runs start.',
  quitWait: (running: number) => (running === 1 ? 'Quit when it ends' : 'Quit when they end'),
  quitNow: (running: number) => (running === 1 ? 'Stop run and quit' : 'Stop runs and quit'),
  stay: 'Stay',
  goOnQuestion: 'Keep Headgate running in the background?',
  goOnDetail: (tray: boolean) =>
    `Schedules and runs continue while no window is open. ${
      tray
        ? 'Open the window again from the tray icon.'
        : 'This desktop doesn’t show tray icons. Start Headgate again to reopen the window.'
    }\n\nYou can change this in Settings → Desktop.`,
  goOn: 'Keep running',
  remember: 'Remember my answer',
}

/** Texts of any language, not those of English alone. */
type Widened<T> = T extends (...args: infer A) => string ? (...args: A) => string : string
export type BackgroundWords = { [K in keyof typeof en]: Widened<(typeof en)[K]> }

const de: BackgroundWords = {
  starting: 'Headgate startet …',
  stopped: 'Der Server läuft nicht',
  idle: 'Keine aktiven Läufe',
  underWay: (running) => (running === 1 ? '1 aktiver Lauf' : `${running} aktive Läufe`),
  waiting: (waiting) => `${waiting} in der Warteschlange`,
  paused: 'Auslöser sind pausiert',
  next: (when) => `Nächster Lauf: ${when}`,
  noNext: 'Keine anstehenden Läufe',
  failedSince: (count) => (count === 1 ? '1 neuer fehlgeschlagener Lauf' : `${count} neue fehlgeschlagene Läufe`),
  open: 'Headgate öffnen',
  newWindow: 'Neues Fenster',
  pause: 'Auslöser pausieren',
  resume: 'Auslöser fortsetzen',
  failures: 'Fehlgeschlagen in den letzten 24 Stunden',
  noFailures: 'Keine Fehlschläge in den letzten 24 Stunden',
  allFailures: 'Alle fehlgeschlagenen Läufe',
  quit: 'Headgate beenden',
  quitWaits: (running) =>
    `Endet, wenn ${running === 1 ? 'der Lauf' : `${running} Läufe`} zu Ende ${running === 1 ? 'ist' : 'sind'}`,
  runFailed: (name) => `${name} ist fehlgeschlagen`,
  runsFailed: (count) => `${count} Läufe sind fehlgeschlagen`,
  runsFailedBody: 'Klicken Sie, um alle fehlgeschlagenen Läufe anzusehen.',
  quitQuestion: (running) => (running === 1 ? '1 Lauf ist aktiv' : `${running} Läufe sind aktiv`),
  quitDetail:
    'Angehaltene Läufe schlagen fehl und werden wiederholt, wenn ihre Aufgaben es erlauben. Während Headgate wartet, beginnen keine neuen Läufe.',
  quitWait: (running) => (running === 1 ? 'Beenden, wenn er zu Ende ist' : 'Beenden, wenn sie zu Ende sind'),
  quitNow: (running) => (running === 1 ? 'Lauf anhalten und beenden' : 'Läufe anhalten und beenden'),
  stay: 'Bleiben',
  goOnQuestion: 'Soll Headgate im Hintergrund weiterlaufen?',
  goOnDetail: (tray) =>
    `Zeitpläne und Läufe gehen weiter, während kein Fenster offen ist. ${
      tray
        ? 'Öffnen Sie das Fenster wieder über das Symbol im Infobereich.'
        : 'Dieser Desktop zeigt keine Symbole im Infobereich. Starten Sie Headgate noch einmal, um das Fenster zu öffnen.'
    }\n\nÄndern lässt sich das unter Einstellungen → Desktop.`,
  goOn: 'Weiterlaufen',
  remember: 'Antwort merken',
}

/** In German for German, else in English. */
export function backgroundWords(language: string): BackgroundWords {
  return languageOf(language) === 'de' ? de : en
}
