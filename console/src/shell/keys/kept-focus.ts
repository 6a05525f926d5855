/**
 * Keeps the focus on the page. A browser gives it up when the element that has it goes away, such as the button of a row
 * that is done or a dialog that closes, and when it is disabled. Who works by keys would begin again at the top.
 */
import { isFocusable, listTabbable } from './tabbable.ts'
import { isTyping } from './typing.ts'

/** What had the focus, with what is around it: each element with the one after it. */
interface Place {
  layer: Element | null
  around: { element: HTMLElement; next: Element | null }[]
}

/** What lies over the page. Its place is given up with it, for the place below. */
const layers = '[role=dialog], [role=menu], [role=listbox]'
/** A screen that goes away takes its places along. */
const screen = '.shell-content'

/** Until the returned function is called. */
export function keepFocus(): () => void {
  const begun = document.activeElement
  let places = begun instanceof HTMLElement && begun !== document.body ? [describePlace(begun)] : []
  const remember = ({ target }: FocusEvent) => {
    const place = describePlace(target as HTMLElement)
    const below = places.filter(({ layer }) => layer !== place.layer && (layer === null || layer.isConnected))
    places = place.layer === null ? [place] : [...below, place]
  }
  /** Who presses beside everything gives the focus up, on the page or in the dialog. */
  const forget = ({ target }: PointerEvent) => {
    const pressed = (target as Element).closest(layers)
    places = places.filter(({ layer }) => layer !== pressed)
  }
  const restore = () => {
    if (document.activeElement !== document.body) return
    const modal = [...document.querySelectorAll('[aria-modal=true]')].at(-1)
    const open = modal ? places.filter(({ layer }) => layer !== null && modal.contains(layer)) : places
    const last = open.at(-1)?.around[0]?.element
    // What works is enabled again when its work is done.
    if (!last || (last.isConnected && last.hasAttribute('data-loading'))) return
    const found = open.toReversed().map(findNearest).find(Boolean)
    if (found) found.focus()
    else document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }
  let frame = 0
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    // The browser gives up a disabled element after a frame; dialogs and screens take the focus themselves.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(restore)
    })
  })
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  })
  document.addEventListener('focusin', remember)
  document.addEventListener('pointerdown', forget, { capture: true })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('pointerdown', forget, { capture: true })
  }
}

function describePlace(target: HTMLElement): Place {
  const layer = target.closest(layers)
  const end = layer?.parentElement ?? target.closest(screen) ?? document.body
  const around: Place['around'] = []
  for (let element = target; element !== end; element = element.parentElement!)
    around.push({ element, next: element.nextElementSibling })
  return { layer, around }
}

/**
 * The element itself where it can have the focus again; else what is marked for the focus, what follows it, or what stands
 * before it. On the page no field that was not chosen: the keys of the screen would be typed into it.
 */
function findNearest({ layer, around }: Place): HTMLElement | undefined {
  const [own] = around
  if (own && isFocusable(own.element)) return own.element
  for (const [index, { element }] of around.entries()) {
    const all = index > 0 && element.isConnected ? listTabbable(element) : []
    const chosen = all.find((stop) => stop.dataset['autofocus'] !== undefined)
    const stops = layer === null ? all.filter((stop) => !isTyping(stop)) : all
    const found = chosen ?? stops.find((stop) => isBehind(stop, around[index - 1]!)) ?? stops.at(-1)
    if (found) return found
  }
  return undefined
}

/** Whether an element stands behind what was there. Of what is gone, the element after it tells the place. */
function isBehind(stop: Element, { element, next }: Place['around'][number]): boolean {
  const follows = (start: Element) =>
    (start.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  if (element.isConnected) return follows(element)
  return next?.isConnected === true && (next === stop || follows(next))
}
