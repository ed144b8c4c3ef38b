import type { Words } from '../../said.ts'

export const channels: Words = {
  no_job_id: 'Einen Job mit der ID <id> gibt es nicht',
  not_its_secret: 'ist kein Geheimnis von <type>; es gibt: <known>',
  no_secrets: 'ist kein Geheimnis von <type>; es gibt keine',
  url_twice: 'ist zweimal angegeben: `config.url` weglassen, das alle sehen',
  url_missing: 'fehlt: hier angeben oder als Geheimnis `url`',
  url_shown: 'sehen alle, und wer sie kennt, darf senden: als Geheimnis `url` angeben',
  url_invalid: 'muss eine http- oder https-Adresse sein, etwa https://ops.example/hooks/headgate',
  url_credentials:
    'darf weder Benutzer noch Passwort enthalten: das Geheimnis `authorization` angeben, das nicht gezeigt wird',
  header_name: 'ist kein Name einer Kopfzeile',
  header_shown: 'sehen hier alle: als Geheimnis `authorization` angeben',
  header_not_here: 'geht hier nicht, weil alle es sehen',
  header_ours: 'setzt Headgate selbst',
  address_invalid: 'muss eine Adresse wie ops@example.com sein, nicht "<given>"',
  mail_host: 'muss Name oder Adresse eines Mailservers sein, ohne Port',
  mail_password: 'fehlt: config.user ist gesetzt',
  channel_off: 'Der Kanal ist ausgeschaltet: zuerst einschalten.',
  delivery_not_failed: 'Diese Zustellung lässt sich nicht wiederholen (<status>): Das geht nur bei fehlgeschlagenen.',
}
