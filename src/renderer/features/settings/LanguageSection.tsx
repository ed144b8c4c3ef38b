import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, useLanguageChoice } from '../../i18n/language-choice.ts'
import { languageNames, languages } from '../../i18n/languages.ts'
import classes from './settings.module.css'

/** Each language in its own words, so that whoever landed in another finds the way back. */
export function LanguageSection() {
  const { t } = useTranslation('settings')
  return (
    <section className={classes.section}>
      <h2>{t('appearance.language')}</h2>
      <p>{t('appearance.languageText')}</p>
      <SegmentedControl
        aria-label={t('appearance.language')}
        value={useLanguageChoice()}
        onChange={chooseLanguage}
        data={[
          { value: 'system', label: t('appearance.system') },
          ...languages.map((value) => ({ value, label: <span lang={value}>{languageNames[value]}</span> })),
        ]}
      />
    </section>
  )
}
