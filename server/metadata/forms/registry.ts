/** The forms of the installation by entity and type, and the access each needs. */
import type { Access, Form } from '../../../contract/metadata/forms/form.ts'
import { mayCall, requireAccess } from '../../access/serve/admit.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { FormHandler } from '../../platform/dictionary/handler.ts'

export class FormRegistry {
  readonly #forms = new Map<string, FormHandler>()

  constructor(handlers: readonly FormHandler[]) {
    for (const handler of handlers) {
      const key = formKey(handler.form)
      if (this.#forms.has(key)) throw new Error(`There are two forms ${key}.`)
      this.#forms.set(key, handler)
    }
  }

  get all(): FormHandler[] {
    return [...this.#forms.values()]
  }

  /** True if the form exists and the caller may open it, for the navigation. */
  mayOpen(caller: Caller, entity: string, type: string): boolean {
    const handler = this.#forms.get(formKey({ entity, type }))
    return handler !== undefined && mayCall(handler.form.open, caller)
  }

  /** Throws a 404 that names the caller's forms, or a 403 that names the access code. */
  require(
    caller: Caller,
    entity: string,
    type: string,
    need: (form: Form) => Access | undefined,
  ): FormHandler {
    const handler = this.#forms.get(formKey({ entity, type }))
    if (!handler) throw this.#unknown(caller, entity, type)
    requireAccess(need(handler.form) ?? handler.form.open, caller)
    return handler
  }

  #unknown(caller: Caller, entity: string, type: string): ApiError {
    const open = this.all.map(({ form }) => form).filter((form) => mayCall(form.open, caller))
    const types = open.filter((form) => form.entity === entity.toLowerCase()).map((form) => form.type)
    const entities = [...new Set(open.map((form) => form.entity))].toSorted()
    const right =
      types.length > 0
        ? `The forms of ${entity.toLowerCase()} are ${types.join(', ')}.`
        : `The entities with forms are ${entities.join(', ')}.`
    return new ApiError('not-found', `There is no form ${quote(entity)}/${quote(type)}. ${right}`)
  }
}

const formKey = ({ entity, type }: { entity: string; type: string }) => `${entity}/${type}`.toLowerCase()
const quote = (text: string) => text.replaceAll(/[^\w-]/g, '?').slice(0, 50)
