import { loadLaterTexts } from './languages.ts'

/** Loads a screen whose texts are not among those of every screen (build/pick-texts.ts). */
export const withLaterTexts =
  <Screen>(load: () => Promise<Screen>): (() => Promise<Screen>) =>
  async () => {
    const [screen] = await Promise.all([load(), loadLaterTexts()])
    return screen
  }
