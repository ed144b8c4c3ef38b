import type { changes as english } from '../../../../contract/run-messages/changes.ts'

export const changes: Record<keyof typeof english, string> = {
  connector_not_changeable: 'Daten des Konnektors `<connector>` (<type>) lassen sich hier nicht ändern',
  change_value_form: '`<column>` ist <type>; <value> ist kein Wert dieses Typs',
  change_value_form_fix: 'In der Form des Typs angeben: <form>',
  change_of_view: '`<table>` ist eine Sicht',
  change_of_view_fix: 'Die Tabellen ändern, die sie liest.',
  change_without_key: '`<table>` hat keinen Primärschlüssel; eine einzelne Zeile lässt sich nicht bestimmen',
  change_without_key_fix: 'Einen Primärschlüssel ergänzen, oder ein UPDATE oder DELETE schreiben.',
  change_key_missing: 'Der gelesenen Zeile fehlt ihr Schlüssel `<column>`',
  change_key_missing_fix: 'Die Spalten des Schlüssels in `original` angeben: <key>',
  change_of_nothing: 'Änderung <edit> hat keine Werte zum Schreiben',
  change_of_nothing_fix: 'Mindestens einen Wert angeben.',
  change_twice: 'Änderung <edit> betrifft eine Zeile, die auch eine andere ändert',
  change_twice_fix: 'Die Änderungen einer Zeile zusammenfassen.',
  change_begins_with: 'Eine Änderung ist ein einziges INSERT, UPDATE oder DELETE',
  change_not_countable: 'Die Zeilen, die diese Anweisung betrifft, lassen sich wegen <part> nicht im Voraus zählen',
  change_operator_unknown: 'Es gibt keinen Operator `<operator>`',
  change_operator_unknown_fix: 'Einen von <operators> verwenden.',
  change_list_empty: 'Die Bedingung für `<column>` vergleicht mit einer leeren Liste',
  change_list_empty_fix: 'Mindestens einen Wert angeben.',
  change_parameter_missing: '`{{<name>}}` hat keinen Wert',
  change_document_missing: 'Die Änderung einer Collection hat ihr Dokument unter `document`',
  change_document_invalid: 'Das Dokument ist kein Extended JSON: <cause>',
  change_of_id: 'Die `_id` eines Dokuments lässt sich nicht ändern',
  change_field_name: '`<field>` ist kein Name eines Felds',
  change_of_documents: 'Das ist keiner der MongoDB-Befehle `insert`, `update` und `delete`',
  change_of_documents_fix:
    '{"insert": Collection, "documents": […]}, {"update": Collection, "updates": [{"q": Filter, "u": Änderung, "multi": true}]} oder {"delete": Collection, "deletes": [{"q": Filter, "limit": 0}]} schreiben.',
  change_replaces_one:
    'Ein Dokument kann nur ein anderes ersetzen: `multi` entfernen, oder einen Operator wie `$set` verwenden',
}
