import type { pools as english } from '../en/pools.ts'
import type { Translation } from '../translation.ts'

export const pools: Translation<typeof english> = {
  new: 'Neuer Pool',
  columns: {
    name: 'Name',
    slots: 'Plätze',
    used: 'Belegt',
    waiting: 'Wartend',
    description: 'Was er schützt',
    action: 'Aktion',
  },
  edit: 'Bearbeiten',
  remove: 'Entfernen',
  empty: {
    title: 'Noch keine Pools',
    text: 'Ein Pool begrenzt, wie viele Läufe etwas gleichzeitig benutzen dürfen, gleich zu welchem Job sie gehören. Aufgaben einer Job-Vorlage nennen ihn: pool: warehouse.',
  },
  form: {
    titleNew: 'Neuer Pool',
    titleEdit: 'Pool {{name}}',
    name: 'Name',
    nameHint: 'Buchstaben, Ziffern, _, . und -. Job-Vorlagen beziehen sich darauf.',
    nameBad: 'Buchstaben, Ziffern, _, . und -, zuerst ein Buchstabe oder _, höchstens 63.',
    nameTaken: 'Einen Pool dieses Namens gibt es. Diesen bearbeiten oder einen anderen Namen wählen.',
    slots: 'Plätze',
    slotsHint: 'So viele Läufe dürfen gleichzeitig einen haben. 0 hält alles zurück.',
    description: 'Was er schützt',
    save: 'Speichern',
    saved: 'Pool {{name}} gespeichert',
  },
  removeTitle: 'Pool {{name}} entfernen?',
  removeText:
    'Aufgaben, die ihn nennen, sind durch ihn nicht mehr begrenzt; wartende beginnen. Job-Vorlagen behalten den Namen.',
  removed: 'Pool {{name}} entfernt',
}
