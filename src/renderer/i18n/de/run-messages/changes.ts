import type { changes as english } from '../../../../contract/run-messages/changes.ts'

export const changes: Record<keyof typeof english, string> = {
  connector_not_changeable: 'Daten des Konnektors `<connector>` (<type>) lassen sich hier nicht ändern',
  change_value_form: '`<column>` ist <type>; <value> ist kein Wert dieses Typs',
  change_value_form_fix: 'Geben Sie ihn in der Form des Typs an: <form>',
  change_of_view: '`<table>` ist eine Sicht',
  change_of_view_fix: 'Ändern Sie die Tabellen, die sie liest.',
  change_without_key: '`<table>` hat keinen Primärschlüssel; eine einzelne Zeile lässt sich nicht bestimmen',
  change_without_key_fix: 'Ergänzen Sie einen Primärschlüssel, oder schreiben Sie ein UPDATE oder DELETE.',
  change_key_missing: 'Der gelesenen Zeile fehlt ihr Schlüssel `<column>`',
  change_key_missing_fix: 'Geben Sie die Spalten des Schlüssels in `original` an: <key>',
  change_of_nothing: 'Änderung <edit> hat keine Werte zum Schreiben',
  change_of_nothing_fix: 'Geben Sie mindestens einen Wert an.',
  change_twice: 'Änderung <edit> betrifft eine Zeile, die auch eine andere ändert',
  change_twice_fix: 'Fassen Sie die Änderungen einer Zeile zusammen.',
  change_begins_with: 'Eine Änderung ist ein einziges INSERT, UPDATE oder DELETE',
  change_not_countable: 'Die Zeilen, die diese Anweisung betrifft, lassen sich wegen <part> nicht im Voraus zählen',
  change_operator_unknown: 'Es gibt keinen Operator `<operator>`',
  change_operator_unknown_fix: 'Verwenden Sie einen von <operators>.',
  change_list_empty: 'Die Bedingung für `<column>` vergleicht mit einer leeren Liste',
  change_list_empty_fix: 'Geben Sie mindestens einen Wert an.',
  change_parameter_missing: '`{{<name>}}` hat keinen Wert',
  change_document_missing: 'Die Änderung einer Collection hat ihr Dokument unter `document`',
  change_document_invalid: 'Das Dokument ist kein Extended JSON: <cause>',
  change_of_id: 'Die `_id` eines Dokuments lässt sich nicht ändern',
  change_field_name: '`<field>` ist kein Name eines Felds',
  change_of_documents: 'Das ist keiner der MongoDB-Befehle `insert`, `update` und `delete`',
  change_of_documents_fix:
    'Schreiben Sie {"insert": Collection, "documents": […]}, {"update": Collection, "updates": [{"q": Filter, "u": Änderung, "multi": true}]} oder {"delete": Collection, "deletes": [{"q": Filter, "limit": 0}]}.',
  change_replaces_one:
    'Ein Dokument kann nur ein anderes ersetzen: entfernen Sie `multi`, oder verwenden Sie einen Operator wie `$set`',
}
