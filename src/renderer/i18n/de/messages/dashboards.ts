import type { Words } from '../../translate.ts'

export const dashboards: Words = {
  dashboard_template_has_errors: 'Die Dashboard-Vorlage enthält Fehler',
  dashboard_unreadable: 'Das Dashboard enthält in dieser Version der Sprache Fehler: Aktualisieren Sie den Job.',
  widget_has_no_data: 'Ein Widget vom Typ `<type>` hat keine Zeilen',
  widget_no_drill: 'Das Widget hat kein `drill`',
  widget_has_no_options: 'Dieses Widget hat hier nichts zur Auswahl',
  widget_not_a_button: 'Nur ein `run_button` startet den Job',
  side_missing: 'Angeben, für welche Seite oder welches Feld die Auswahl ist: <sides>',
  widget_connector_unbound: 'Der Job hat keinen Konnektor für `<connector>`: Aktualisieren Sie den Job.',
  widget_task_unknown: 'Der Job hat keine Aufgabe `<task>`: Aktualisieren Sie den Job.',
  widget_data_archived: 'Der Konnektor dieses Widgets ist archiviert',
  widget_expression_fails: 'Der Wert von `:<name>` lässt sich nicht bilden: <problem>',
  widget_timed_out: 'Die Abfrage hat zu lange gedauert: Fassen Sie die Filter enger, oder erhöhen Sie ihr `timeout`.',
  widget_unavailable: 'Dieses Widget lässt sich gerade nicht laden: Versuchen Sie es später noch einmal.',
  options_lack_column:
    'Die Daten `<data>` der Auswahl brauchen die Spalten `value` und `label`; vorhanden sind <columns>.',
  option_cursor_invalid:
    'Der Cursor ist beschädigt oder gehört zu einer anderen Liste: Beginnen Sie mit der ersten Seite.',
  form_field_required: 'Das Feld ist erforderlich',
  form_field_unknown: 'Das Formular hat kein Feld `<name>`',
  form_unknown: 'Das Dashboard hat kein Formular `<name>`',
  field_mapping_unknown: 'Das Dashboard hat keine Feldzuordnung `<name>`',
  label_side_unknown:
    'Das Dashboard hat keine Auswahl `<name>`: Geben Sie die ID eines Formulars und den Schlüssel eines Feldes an, etwa `setup/region`.',
  mapping_unknown: 'Der Knopf gibt keine Feldzuordnung `<name>` weiter',
  mapping_target_missing: 'Das Ziel `<target>` muss zugeordnet sein',
  dashboard_state_large:
    'darf als JSON höchstens <most> KiB haben und hat <size> KiB: leeren Sie Felder oder Zuordnungen, die Sie nicht brauchen.',
  share_locked: 'Die Filter dieses Links sind gesperrt',
  origin_port: 'Der Port von `<origin>` muss zwischen 1 und 65535 liegen',
  origin_host: '`<origin>` hat keinen gültigen Hostnamen',
  origin_wildcard:
    '`<origin>` würde beliebige Seiten erlauben: Geben Sie hinter `*.` die eigene Domain an, etwa https://*.intranet.example.',
  share_job_archived: 'Der Job ist archiviert: Stellen Sie ihn wieder her, um seine Dashboards zu teilen.',
}
