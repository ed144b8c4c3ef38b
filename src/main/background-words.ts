// What tray, notifications and the questions of an app in the background say. See words.ts for the rest.
import { languageOf } from './words.ts'

const en = {
  starting: 'Headgate is starting …',
  stopped: 'The server does not run',
  idle: 'Nothing runs',
  underWay: (running: number) => (running === 1 ? '1 run under way' : `${running} runs under way`),
  waiting: (waiting: number) => `${waiting} waiting`,
  paused: 'Schedules are paused',
  next: (when: string) => `Next schedule: ${when}`,
  noNext: 'No schedule is due',
  failedSince: (count: number) => (count === 1 ? '1 new failure' : `${count} new failures`),
  open: 'Open Headgate',
  newWindow: 'New window',
  pause: 'Pause schedules',
  resume: 'Resume schedules',
  failures: 'Failed in the last 24 hours',
  noFailures: 'Nothing has failed in 24 hours',
  allFailures: 'All failed runs',
  quit: 'Quit Headgate',
  quitWaits: (running: number) => `Quits when ${running === 1 ? 'the run has' : `${running} runs have`} ended`,
  runFailed: (name: string) => `${name} failed`,
  runsFailed: (count: number) => `${count} runs failed`,
  runsFailedBody: 'Click to see them all.',
  quitQuestion: (running: number) => (running === 1 ? '1 run is under way' : `${running} runs are under way`),
  quitDetail:
    'Runs that are stopped now fail, and are tried again where their retries allow it. While Headgate waits, no other run begins.',
  quitWait: (running: number) => (running === 1 ? 'Quit when it has ended' : 'Quit when they have ended'),
  quitNow: (running: number) => (running === 1 ? 'Stop it and quit' : 'Stop them and quit'),
  stay: 'Stay',
  goOnQuestion: 'Keep Headgate running in the background?',
  goOnDetail: (tray: boolean) =>
    `Schedules fire and runs go on while no window is open. ${
      tray
        ? 'The icon in the notification area brings the window back.'
        : 'Start Headgate again to bring the window back: this desktop shows no icons of apps in the background.'
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
  idle: 'Nichts läuft',
  underWay: (running) => (running === 1 ? '1 Lauf ist unterwegs' : `${running} Läufe sind unterwegs`),
  waiting: (waiting) => `${waiting} ${waiting === 1 ? 'wartet' : 'warten'}`,
  paused: 'Zeitpläne sind pausiert',
  next: (when) => `Nächster Zeitplan: ${when}`,
  noNext: 'Kein Zeitplan steht an',
  failedSince: (count) => (count === 1 ? '1 neuer Fehlschlag' : `${count} neue Fehlschläge`),
  open: 'Headgate öffnen',
  newWindow: 'Neues Fenster',
  pause: 'Zeitpläne pausieren',
  resume: 'Zeitpläne fortsetzen',
  failures: 'Fehlgeschlagen in den letzten 24 Stunden',
  noFailures: 'Seit 24 Stunden ist nichts fehlgeschlagen',
  allFailures: 'Alle fehlgeschlagenen Läufe',
  quit: 'Headgate beenden',
  quitWaits: (running) =>
    `Endet, wenn ${running === 1 ? 'der Lauf' : `${running} Läufe`} zu Ende ${running === 1 ? 'ist' : 'sind'}`,
  runFailed: (name) => `${name} ist fehlgeschlagen`,
  runsFailed: (count) => `${count} Läufe sind fehlgeschlagen`,
  runsFailedBody: 'Klicken Sie, um alle zu sehen.',
  quitQuestion: (running) => (running === 1 ? '1 Lauf ist unterwegs' : `${running} Läufe sind unterwegs`),
  quitDetail:
    'Läufe, die jetzt angehalten werden, schlagen fehl und werden wiederholt, wo ihre Wiederholungen es erlauben. Während Headgate wartet, beginnt kein anderer Lauf.',
  quitWait: (running) => (running === 1 ? 'Beenden, wenn er zu Ende ist' : 'Beenden, wenn sie zu Ende sind'),
  quitNow: (running) => (running === 1 ? 'Anhalten und beenden' : 'Alle anhalten und beenden'),
  stay: 'Bleiben',
  goOnQuestion: 'Soll Headgate im Hintergrund weiterlaufen?',
  goOnDetail: (tray) =>
    `Zeitpläne lösen aus und Läufe gehen weiter, während kein Fenster offen ist. ${
      tray
        ? 'Das Symbol im Infobereich holt das Fenster zurück.'
        : 'Starten Sie Headgate noch einmal, um das Fenster zurückzuholen: Dieser Desktop zeigt keine Symbole von Apps im Hintergrund.'
    }\n\nÄndern lässt sich das unter Einstellungen → Desktop.`,
  goOn: 'Weiterlaufen',
  remember: 'Antwort merken',
}

/** In German for German, else in English. */
export function backgroundWords(language: string): BackgroundWords {
  return languageOf(language) === 'de' ? de : en
}
