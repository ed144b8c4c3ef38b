import classes from './TabWord.module.css'

/** The word of a tab, with room for its bold letters: the tabs after it stay where they are when it becomes the active one. */
export const TabWord = ({ children }: { children: string }) => (
  <span className={classes.word} data-word={children}>
    {children}
  </span>
)
