import { useTranslation } from 'react-i18next'

/** What a stage of a connection test is called: by its type, else in general, else as the server names it. */
export function useStageName(): (type: string, stage: string) => string {
  const { t } = useTranslation('connectors')
  return (type, stage) => {
    const general = t(`stage.${stage}`, { defaultValue: stage })
    return t(`stageOf.${type}.${stage}`, { defaultValue: general })
  }
}
