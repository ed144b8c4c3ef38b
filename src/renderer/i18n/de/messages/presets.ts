import type { Words } from '../../translate.ts'

export const presets: Words = {
  preset_of_other: 'Dieses Preset gehört jemand anderem. Nur diese Person und Administratoren können es ändern.',
  preset_needs_connector: 'braucht eine `connector_id`',
  preset_no_connector: 'Es gibt keinen Konnektor <id>',
  preset_no_connector_named: 'Es gibt keinen Konnektor „<name>“. Erstellen Sie ihn und importieren Sie noch einmal.',
  preset_no_object: 'muss ein JSON-Objekt mit `name`, `description`, `connector`, `resource` und `definition` sein',
  preset_field_wrong: '`<path>` ist in einem Preset nicht gültig',
  preset_field_mistake: '`<path>`: <reason>',
  preset_connector_not_mongodb: '`mongoRecord` braucht ein Preset eines MongoDB-Konnektors',
  preset_parameter_name: 'muss aus Buchstaben, Ziffern und `_` bestehen',
  preset_parameter_twice: 'Es gibt schon einen Parameter „<name>“',
  preset_parameter_unused:
    'Der Parameter „<name>“ wird nicht verwendet. Schreiben Sie `{{<name>}}`, wo sein Wert hingehört, oder entfernen Sie ihn.',
  preset_parameter_unknown: 'Es gibt keinen Parameter „<name>“. Erstellen Sie ihn unter `parameters`.',
  preset_collection_missing: '`mongoRecord` braucht eine `collection`',
  records_of_no_record: 'muss `mongoRecord` sein',
  records_filter_not_saved:
    'Ihre Rolle kann Datensätze nur so filtern, wie es ein gespeichertes Preset dieses Konnektors tut. Senden Sie die `preset_id` und ihren Parameter unverändert.',
  preset_default_no_object_id: 'muss aus 24 hexadezimalen Zeichen bestehen',
  preset_raw_not_json:
    'Parameter brauchen eine Abfrage in JSON. Schreiben Sie in SQL `:name` und geben Sie den Wert bei jedem Lauf an.',
  preset_raw_empty: 'Parameter brauchen eine Abfrage in JSON, die nicht leer ist',
  preset_placeholder_in_key: 'Ein Platzhalter muss in einem Wert stehen, nicht im Namen „<key>“',
  profile_one_at_a_time:
    'Es wird gerade eine andere Spalte ausgewertet. Versuchen Sie es noch einmal, wenn das fertig ist.',
  query_raw_not_for_viewers:
    'Mit der Rolle Betrachter lässt sich dieser Konnektor nur über Bedingungen abfragen. Andere Abfragen kann ein Administrator in den Einstellungen des Konnektors erlauben.',
}
