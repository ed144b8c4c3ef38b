import type { branding as english } from '../en/branding.ts'
import type { Translation } from '../translation.ts'

export const branding: Translation<typeof english> = {
  name: 'Produktname',
  nameHint: 'Erscheint oben in der Seitenleiste, auf der Anmeldeseite und im Fenstertitel.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG, WebP oder SVG, höchstens 256\u00a0KiB.',
  logoNone: 'Bild hier ablegen',
  logoNow: 'Ausgewähltes Logo',
  logoChoose: 'Bild wählen …',
  logoRemove: 'Logo entfernen',
  logoType: 'Nicht unterstütztes Bildformat. Wählen Sie ein Bild in PNG, JPEG, WebP oder SVG.',
  logoSize: 'Das Bild hat {{kib, number}}\u00a0KiB. Wählen Sie eines mit höchstens 256\u00a0KiB.',
  color: 'Farbe',
  colorHint: 'Wird bei Bedarf für lesbaren Kontrast angepasst.',
  colorPick: 'Farbe vom Bildschirm aufnehmen',
  colorDefault: 'Standard von Headgate',
  message: 'Text auf der Anmeldeseite',
  messageHint: 'Reiner Text, etwa wer Konten vergibt.',
  support: 'Link zur Hilfe',
  supportHint: 'Ein Link mit https://, http:// oder mailto:, der als „Hilfe“ auf der Anmeldeseite erscheint.',
  saved: 'Gespeichert. Gilt für alle Fenster.',
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
