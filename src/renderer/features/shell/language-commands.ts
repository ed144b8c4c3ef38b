import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Command, useCommands } from '../../commands/commands.ts'
import { chooseLanguage } from '../../i18n/language-choice.ts'
import { type LanguageChoice, languageNames, languages } from '../../i18n/languages.ts'

// Found by somebody who does not read the language of the window, too.
const keywords = `language sprache ${Object.values(languageNames).join(' ')} german englisch`

/** `language-system`, `language-en`, `language-de`. */
export function useLanguageCommands(): void {
  const { t } = useTranslation('shell')
  const command = (choice: LanguageChoice, name: string): Command => ({
    id: `language-${choice}`,
    title: t('commands.language', { name }),
    group: 'view',
    icon: IconLanguage,
    keywords,
    run: () => chooseLanguage(choice),
  })
  useCommands([
    ...languages.map((language) => command(language, languageNames[language])),
    command('system', t('commands.languageSystem')),
  ])
}
