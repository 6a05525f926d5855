/**
 * Sends the form that has the focus; in a dialog its form, whatever has the focus. In a row of a list it presses the row's
 * first button. Elsewhere it presses the main action of the screen, which is marked by `data-main-action`.
 */
export function runMainAction(): void {
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
  const form = document.activeElement?.closest('form') ?? dialog?.querySelector('form')
  const submit = form?.querySelector<HTMLElement>('button[type=submit]:not(:disabled)')
  if (submit) submit.click()
  else if (!form && !dialog) (findRowAction() ?? findScreenAction())?.click()
}

const findRowAction = () =>
  document.activeElement
    ?.closest('tr[data-row]')
    ?.querySelector<HTMLElement>('[data-row-action] button:not(:disabled)')

const findScreenAction = () => document.querySelector<HTMLElement>('#main [data-main-action]:not(:disabled)')
