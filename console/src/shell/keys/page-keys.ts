/** What the keys of every screen do. It is loaded after the first screen, or by the first key. */
export { keepFocus } from './kept-focus.ts'
export { runMainAction } from './main-action.ts'
export { goToPart } from './screen-parts.ts'
