import type { web as english } from '../../../../contract/run-messages/web.ts'

export const web: Record<keyof typeof english, string> = {
  api_lists_nothing: 'Der Konnektor `<connector>` ist eine HTTP-API, die nichts auflistet: `<name>` gibt es nicht',
  api_lists_nothing_fix: 'Den Pfad in der Aufgabe angeben und die Vorschau ansehen.',
  record_of_answer_unusable: 'Ein Datensatz aus <what>: <cause>: <bytes>',
  record_of_answer_unusable_fix:
    'Jede Spalte braucht einen eindeutigen Namen. Wenn möglich, andere Felder von der API anfordern.',
  cursor_field_missing: 'Kein Datensatz hat das Feld `<key>`, das `state.cursor` nennt',
  cursor_field_missing_fix: 'Den Namen so schreiben wie die API, mit Groß- und Kleinbuchstaben.',
  check_web_sign_in: 'Die Anmeldung des Konnektors und seine Geheimnisse prüfen.',
  account_not_allowed:
    'Der Server kennt den Anfragenden und erlaubt es ihm nicht. Die Rechte des Kontos prüfen, bei oauth2 auch `scope`.',
  fewer_requests: 'Der Server verlangt weniger Anfragen: „Anfragen je Sekunde“ des Konnektors einstellen.',
  server_failed: 'Der Server ist fehlgeschlagen; sein Protokoll nennt den Grund. Später noch einmal versuchen.',
  check_path: 'Basis-URL und Pfad prüfen.',
  check_request: 'Pfad, Parameter und gesendete Daten prüfen.',
  answer_not_ready: '<what> antwortete mit 202 Accepted: Die Datensätze sind noch nicht bereit',
  answer_not_ready_fix: 'Später noch einmal versuchen oder das Ergebnis dort anfordern, wo die API es bereitstellt.',
  answer_empty: 'Die Antwort auf <what> ist leer (Status <http_status>)',
  answer_empty_fix:
    'Vermutlich wurde sie unterwegs abgeschnitten: Ein Server ohne Datensätze antwortet mit einer leeren Liste oder mit Status 204. Noch einmal ausführen.',
  row_without_address: '<cause> in einer Zeile',
  row_without_address_fix:
    'Eine solche Zeile hat keine Adresse. Die Zeile herausfiltern oder mit `expect` und `on_fail: quarantine` einen Wert verlangen.',
  entity_set_unknown: 'Im Konnektor `<connector>` gibt es keine Entitätenmenge `<name>`',
  entity_set_unknown_fix: 'Die Liste der Entitätenmengen ansehen.',
  filter_argument_misfit: '`:<name>` des Filters ist <value>, wird aber mit <expected> verglichen',
  filter_argument_misfit_fix: 'Das Argument prüfen oder die Eigenschaft daneben.',
  not_odata_description: 'Die Antwort auf <what> ist keine Beschreibung eines OData-Dienstes: <cause>',
  not_odata_description_fix: 'Die Basis-URL muss die Wurzel des Dienstes sein, die Adresse vor `/$metadata`.',
  xml_without_odata: 'Die Antwort auf <what> ist XML, beschreibt aber keinen OData-Dienst',
  odata_version: 'Der Dienst spricht OData der Version <version>',
  xml_without_odata_fix:
    'Version 4 wird benötigt. Die Basis-URL muss die Wurzel des Dienstes sein, die Adresse vor `/$metadata`.',
  pages_loop: '<what> führt zu einer Seite, die schon gelesen wurde',
  pages_loop_fix: 'Die Seiten würden nie enden. Das ist ein Fehler des Dienstes.',
  not_odata_answer: 'Die Antwort auf <what> ist keine Antwort eines OData-Dienstes',
  not_odata_answer_fix: 'Die Basis-URL muss die Wurzel des Dienstes sein.',
  page_without_value: 'Die Antwort auf <what> ist eine Seite ohne `value`',
  page_without_value_fix:
    'Der Dienst hat seine Entitäten in der Antwort nicht mitgeschickt, nicht einmal eine leere Liste. Noch einmal ausführen; wenn es bleibt, dem Betreiber des Dienstes melden.',
  answer_without_entities: 'Die Antwort auf <what> enthält keine Entitäten',
  answer_without_entities_fix:
    '`entity` muss zu einer Entitätenmenge oder einer Entität führen, nicht zu einer ihrer Eigenschaften.',
  answer_too_deep: 'Die Antwort auf <what> ist tiefer als <most> Ebenen verschachtelt',
  answer_too_deep_fix: 'Mit `expand` weniger Ebenen aufklappen.',
  address_private: '<where> ist eine Adresse dieses Rechners oder eines privaten Netzes',
  address_private_fix:
    'Wenn das beabsichtigt ist, „Private Adressen erlauben“ in den Einstellungen des Konnektors einschalten.',
  address_never: 'Zu <where> wird nie eine Verbindung aufgebaut',
  address_never_fix:
    'Adressen, die Zugangsdaten einer Cloud herausgeben, und solche, die zu keinem einzelnen Server gehören, werden immer abgelehnt.',
  secret_missing: 'Der Konnektor `<connector>` hat kein Geheimnis (<what>)',
  secret_missing_fix: 'In den Einstellungen des Konnektors hinterlegen.',
  secret_has_line_end: 'Das Geheimnis (<what>) des Konnektors `<connector>` enthält Steuerzeichen',
  secret_has_line_end_fix: 'Noch einmal hinterlegen, in einer Zeile.',
  answer_not_unpacked: 'Die Antwort auf <what> lässt sich nicht entpacken (<encoding>)',
  answer_not_unpacked_fix:
    'Sie wurde abgeschnitten oder ist beschädigt. Noch einmal versuchen; wenn es bleibt, dem Betreiber des Servers melden.',
  encoding_unknown: 'Die Antwort auf <what> ist als „<encoding>“ gepackt, was nicht unterstützt wird',
  encoding_unknown_fix: 'Unterstützt werden gzip, deflate, br und zstd.',
  answer_too_large: 'Die Antwort auf <what> ist größer als <most> MiB',
  answer_too_large_fix: 'Kleinere Seiten anfordern, mit `paginate` oder einem Parameter der API.',
  answer_not_text: 'Die Antwort auf <what> ist kein Text in <charset>',
  answer_not_text_fix: 'Der Server schickt etwas anderes, als sein `Content-Type` angibt.',
  http_client_missing: 'Der HTTP-Client lässt sich nicht laden: <cause>',
  http_client_missing_fix: 'Headgate neu installieren.',
  too_many_redirects: '<what> wurde öfter als <most>-mal weitergeleitet',
  too_many_redirects_fix:
    'Der Server leitet die Anfrage im Kreis. Die Adresse, bei der sie enden soll, als Basis-URL angeben.',
  base_url_invalid: 'Die Basis-URL des Konnektors `<connector>` ist keine',
  base_url_invalid_fix: 'Als `https://api.example.com/v1` schreiben, ohne Benutzer und Kennwort.',
  path_leaves_base_url: 'Der Pfad `<path>` führt aus der Basis-URL des Konnektors hinaus',
  path_leaves_base_url_fix: 'Den Teil nach der Basis-URL schreiben, ohne `..`.',
  request_failed: '<connector>: <what>: <text>',
  json_of_answer_unreadable: 'Die Antwort auf <what>: <cause> bei Byte <byte>',
  json_of_answer_unreadable_fix: 'Von der API weniger tief verschachtelte Daten anfordern.',
  link_header_unreadable: 'Der Header `Link` von <what> ist ab „<rest>“ nicht lesbar',
  link_header_unreadable_fix:
    'Der Header ist ungültig (RFC 8288). Dem Betreiber der API melden oder eine andere Art von Seiten verwenden.',
  cursor_missing_in_answer: 'Die Antwort auf <what> sagt, dass es mehr gibt, hat aber keinen Cursor bei `<from>`',
  cursor_missing_in_answer_fix: '`paginate.from` mit einer Antwort der API vergleichen.',
  cursor_not_text: 'Der Cursor bei `<from>` der Antwort auf <what> ist kein Text',
  next_page_no_url: 'Die nächste Seite von <what> ist als etwas angegeben, das keine URL ist',
  next_page_no_url_fix: 'Die Seiten mit einer Antwort der API vergleichen.',
  next_page_elsewhere:
    'Die nächste Seite von <what> liegt auf einem anderen Server als dem des Konnektors: <origin> statt <origin2>',
  next_page_elsewhere_fix:
    'Zugangsdaten werden dorthin nicht geschickt. Wenn beides derselbe Dienst ist, diesen Ursprung als Basis-URL angeben.',
  answer_lacks_list: 'Die Antwort auf <what> hat <missing>',
  page_without_records: '<what> <text>',
  pages_may_follow:
    '<what> antwortete mit <answered> ohne Liste von Datensätzen, und vielleicht gibt es weitere Seiten',
  pages_may_follow_fix:
    'Nur eine leere Liste beendet die Seiten. Noch einmal ausführen; wenn es bleibt, dem Betreiber der API melden.',
  page_skipped: '<before> lieferte keine Liste von Datensätzen, aber bei <what> gibt es weitere',
  page_skipped_fix:
    'Der Server hat eine Seite übersprungen. Noch einmal ausführen. Wenn es wieder vorkommt, dem Betreiber der API melden.',
  too_many_pages: 'Es gibt mehr Seiten als die <most:#>, die `max_pages` erlaubt (<what>)',
  too_many_pages_fix: '`max_pages` erhöhen oder weniger anfordern. Nichts wurde geschrieben.',
  redirect_refused: '<what> wurde weitergeleitet (<http_status>): <why>',
}
