import type { branding as english } from '../en/branding.ts'
import type { Translation } from '../translation.ts'

export const branding: Translation<typeof english> = {
  name: 'Produktname',
  nameHint: 'In der Kopfzeile, auf der Anmeldeseite und im Titel des Fensters.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder SVG, höchstens 256\u00a0KiB.',
  logoNone: 'Bild hier ablegen',
  logoNow: 'Das gewählte Logo',
  logoChoose: 'Auswählen …',
  logoRemove: 'Entfernen',
  logoType: 'Das ist kein Bild in PNG, JPEG, WebP oder SVG. In einem dieser Formate speichern.',
  logoSize: 'Das Bild hat {{kib, number}}\u00a0KiB, erlaubt sind 256. Bitte verkleinern.',
  color: 'Farbe',
  colorHint: 'Wird dunkler oder heller, wo sie sonst nicht lesbar wäre.',
  colorPick: 'Farbe vom Bildschirm aufnehmen',
  colorDefault: 'Die von Headgate',
  message: 'Text auf der Anmeldeseite',
  messageHint: 'Reiner Text: wessen System das ist, wer Konten vergibt.',
  support: 'Adresse für Hilfe',
  supportHint: 'https://, http:// oder mailto:, als „Hilfe“ auf der Anmeldeseite.',
  saved: 'Gespeichert; alle Fenster zeigen es jetzt',
  conflict:
    'Das Erscheinungsbild wurde inzwischen von jemand anderem geändert. Noch einmal speichern, um es zu ersetzen, oder die andere Fassung übernehmen.',
  takeNewest: 'Andere Fassung übernehmen',
  preview: {
    light: 'Hell',
    dark: 'Dunkel',
    one: 'Aufgaben',
    two: 'Läufe',
    three: 'Konnektoren',
    signIn: 'Anmelden bei {{name}}',
    button: 'Anmelden',
    help: 'Hilfe',
  },
}
