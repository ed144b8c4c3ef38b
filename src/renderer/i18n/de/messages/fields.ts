import type { Words } from '../../translate.ts'

export const fields: Words = {
  field_missing: 'fehlt',
  field_empty: 'darf nicht leer sein',
  field_unknown: 'ist kein bekanntes Feld',
  field_unknown_near: 'ist kein bekanntes Feld; war <near> gemeint?',
  field_not_one_of: 'muss eines davon sein: <allowed>',
  field_wanted: 'muss <wanted> sein',
  half_character: 'darf kein halbes Zeichen enthalten (ein einzelnes Surrogat)',
  number_rounded: 'ist <number>, was eine JSON-Zahl verändern würde. Senden Sie sie als Text.',
  holds_half_character: 'enthält ein halbes Zeichen (ein einzelnes Surrogat)',
  control_characters: 'darf keine Steuerzeichen enthalten',
  not_a_time: 'ist keine gültige Zeit',
  not_a_zone: 'ist keine IANA-Zeitzone, etwa Europe/Berlin',
  name_taken: '<kind> "<name>" gibt es schon (ID <id>). Wählen Sie einen anderen Namen.',
  name_taken_archived: '<kind> "<name>" gibt es schon (ID <id>, archiviert). Wählen Sie einen anderen Namen.',
  one_line: 'muss eine Zeile sein',
  one_ascii_line: 'muss eine Zeile aus ASCII-Zeichen sein',
  in_the_future: 'muss in der Zukunft liegen',
  argument_invalid: '<problem>',
  executor_refused: '<problem>',
  too_many_tags: 'ergäbe <count> Schlagwörter, höchstens <most> sind erlaubt: entfernen Sie vorher andere',
}
