import type { labels as english } from '../../../../language/messages/labels.ts'

export const labels: Record<keyof typeof english, string> = {
  label_files: '<file_format>-Dateien <glob>',
  label_one_row: '1 Zeile in der Aufgabe',
  label_rows: '<count:#> Zeilen in der Aufgabe',
  label_table: 'Tabelle <table>',
  label_query: 'Abfrage <sql>',
  label_request: '<method> <path>',
  label_entity_set: 'Entitätsmenge <entity>',
  label_read_collection: '<kind> in Collection <collection>',
  label_step: '<kind> <detail>',
  label_step_alone: '<kind>',
  label_lookup: 'lookup in <input> über <columns>',
  label_dedupe: 'dedupe über <columns>',
  label_create_table: 'Tabelle <table> erstellen',
  label_statement: '<sql>',
  label_statements: '<count:#> Anweisungen',
  label_script: 'Skript',
  label_command: 'Befehl <program>',
  label_write_table: '<mode> in Tabelle <table>',
  label_write_collection: '<mode> in Collection <collection>',
  label_write_file: '<file_format>-Datei <path>',
}
