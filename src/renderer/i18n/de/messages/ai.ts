import type { Words } from '../../translate.ts'

export const ai: Words = {
  reference_too_large: 'darf höchstens 1 MiB groß sein',
  references_full: 'Alle Referenzen zusammen dürfen höchstens 64 MiB groß sein. Eine nicht mehr benötigte löschen.',
  reference_unknown: 'Es gibt keine Referenz <id>',
  ai_connector_unknown: 'Es gibt keinen Konnektor <id>',
  ai_key_missing: 'KI ist nicht eingerichtet: ai.api_key in den Servereinstellungen setzen',
  ai_model_missing: 'KI ist nicht eingerichtet: ai.model in den Servereinstellungen setzen',
  ai_base_url_missing:
    'KI ist nicht eingerichtet: Der Anbieter `compatible` braucht ai.base_url in den Servereinstellungen',
  ai_budget_spent:
    'Die KI-Token dieses Tages sind verbraucht (<limit>). Nach Mitternacht UTC noch einmal versuchen oder ai.daily_tokens erhöhen.',
  ai_request_changed: 'Was gesendet würde, hat sich seit der Anzeige geändert. Noch einmal anzeigen.',
  ai_unreachable: 'Der KI-Anbieter <host> ist nicht erreichbar (<code>). ai.base_url und das Netz prüfen.',
  ai_address_refused:
    'Der Name des KI-Anbieters führt zu einer privaten Adresse. Ist das gewollt, ai.base_url auf die Adresse selbst setzen.',
  ai_needs_tls: 'Der KI-Anbieter muss über https erreicht werden. Nur lokale Adressen dürfen http benutzen.',
  ai_no_answer: 'Der KI-Anbieter hat <seconds> Sekunden lang nicht geantwortet. Noch einmal versuchen.',
  ai_answer_stalled: 'Die Antwort des KI-Anbieters stockte <seconds> Sekunden lang. Noch einmal versuchen.',
  ai_deadline: 'Der KI-Anbieter brauchte länger als <seconds> Sekunden. Eine kürzere Anfrage versuchen.',
  ai_key_refused: 'Der KI-Anbieter hat den Schlüssel abgelehnt (<status>). ai.api_key prüfen.',
  ai_model_unknown: 'Der KI-Anbieter kennt diese Adresse oder dieses Modell nicht. ai.base_url und ai.model prüfen.',
  ai_busy: 'Der KI-Anbieter ist ausgelastet. Später noch einmal versuchen.',
  ai_busy_for: 'Der KI-Anbieter ist ausgelastet. In <seconds> Sekunden noch einmal versuchen.',
  ai_redirect:
    'Der KI-Anbieter antwortet mit einer Weiterleitung (<status>), der nicht gefolgt wird. ai.base_url auf die endgültige Adresse setzen.',
  ai_status: 'Der KI-Anbieter hat die Anfrage abgelehnt (<status>). ai.base_url und ai.model prüfen.',
  ai_provider_failed: 'Der KI-Anbieter meldet einen Fehler (<code>). Noch einmal versuchen.',
  ai_answer_html: 'Der KI-Anbieter antwortet mit einer Webseite. ai.base_url prüfen.',
  ai_answer_not_stream: 'Der KI-Anbieter antwortet nicht mit einem Strom. ai.base_url prüfen.',
  ai_answer_not_utf8: 'Die Antwort des KI-Anbieters ist kein gültiges UTF-8. Noch einmal versuchen.',
  ai_answer_cut: 'Die Antwort des KI-Anbieters brach ab. Noch einmal versuchen.',
  ai_answer_too_long: 'Die Antwort erreichte die Längengrenze des Modells. Weniger verlangen.',
  ai_answer_too_large: 'Die Antwort des KI-Anbieters ist größer als 1 MiB.',
  ai_no_task: 'Die Antwort enthält keine Aufgabe.',
  ai_many_tasks: 'Die Antwort enthält mehr als eine Aufgabe.',
  ai_slot_unknown: 'Der Konnektor-Platz "<slot>" gehört nicht zu den gewählten Konnektoren.',
  ai_slot_type: 'Der Konnektor-Platz "<slot>" muss den Typ <type> zulassen.',
  ai_table_unknown: 'Der Konnektor des Platzes "<slot>" hat kein "<name>".',
  ai_column_unknown: '"<name>" hat keine Spalte "<column>".',
  ai_not_asked: 'Die Aufgabe benutzt `<key>`, was die Anfrage nicht verlangt.',
  ai_preview_failed: 'Die Vorschau von "<stage>" ist gescheitert (<code>).',
}
