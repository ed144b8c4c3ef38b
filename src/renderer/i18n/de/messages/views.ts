import type { Words } from '../../translate.ts'

export const views: Words = {
  saved_view_taken:
    'Sie haben schon eine Ansicht „<name>“ dieser Liste. Wählen Sie einen anderen Namen, oder aktualisieren Sie diese Ansicht.',
  saved_views_full: 'Diese Liste hat schon <most> gespeicherte Ansichten von Ihnen. Löschen Sie zuerst eine.',
}
