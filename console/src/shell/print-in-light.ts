/** Prints in light colours, whatever the screen shows: paper is white. Returns what ends it. */
export function printInLight(): () => void {
  const { dataset } = document.documentElement
  const paper = matchMedia('print')
  let shown: string | undefined
  const begin = () => {
    shown ??= dataset['mantineColorScheme']
    dataset['mantineColorScheme'] = 'light'
  }
  const end = () => {
    if (shown !== undefined) dataset['mantineColorScheme'] = shown
    shown = undefined
  }
  const follow = () => (paper.matches ? begin() : end())
  paper.addEventListener('change', follow)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    paper.removeEventListener('change', follow)
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}
