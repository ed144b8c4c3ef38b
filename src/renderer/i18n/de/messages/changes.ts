import type { Words } from '../../translate.ts'

export const changes: Words = {
  changes_edits_or_definition: 'Entweder `edits` oder `definition` angeben',
  changes_need_resource: 'fehlt: die Tabelle oder Collection, die sich ändert',
  changes_action: 'muss insert, update oder delete sein',
  changes_raw_empty: 'hat keine Anweisung',
  changes_confirmation_gone: 'Diese Bestätigung gilt nicht mehr. Prüfen Sie die Änderungen noch einmal.',
  changes_confirmation_differs: 'Das sind nicht die geprüften Änderungen. Sie noch einmal prüfen.',
  changes_connector_changed: 'Der Konnektor wurde nach der Prüfung geändert. Prüfen Sie die Änderungen noch einmal.',
  changes_name_required: 'muss der Name des Konnektors sein, weil er als Produktion gekennzeichnet ist',
  changes_conflict: 'Nichts wurde geschrieben, weil die Daten nicht mehr so sind wie geprüft.',
  changes_row_gone: 'Diese Zeile gibt es nicht mehr.',
  changes_row_changed: 'Jemand anderes hat diese Zeile geändert: <fields>',
  changes_row_ambiguous: 'Mehrere Zeilen haben diesen Schlüssel: <fields>',
  changes_differ: 'Die Anweisungen würden andere Zeilen betreffen als geprüft.',
  changes_partly:
    '<written> von <all> Anweisungen wurden geschrieben, dann hat das System eine abgelehnt: <problem>. Es hat keine Transaktionen; was geschrieben wurde, bleibt.',
  changes_outcome_unknown:
    'Es ist unbekannt, ob die Änderungen geschrieben wurden, weil keine Antwort kam. Sehen Sie vor einer Wiederholung die Daten an.',
}
