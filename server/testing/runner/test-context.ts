/**
 * Lets node:test know the present test by an AsyncLocalStorage. It does so by a hook on every promise, which takes a
 * fifth of a test process's time. Loaded before node:test; decision 0301.
 */
import { createRequire } from 'node:module'
import type * as AsyncHooks from 'node:async_hooks'

interface Callbacks {
  init?(asyncId: number, type: string, triggerAsyncId: number, resource: object): void
}

const require = createRequire(import.meta.url)
const hooks = require('node:async_hooks') as {
  -readonly [Name in keyof typeof AsyncHooks]: (typeof AsyncHooks)[Name]
}
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks
const present = new AsyncLocalStorage<AsyncHooks.AsyncResource>()
const observers: Callbacks[] = []

/** A test or suite: what runs in its scope has it as the present one. */
class TestResource extends AsyncResource {
  constructor(type: string, options?: AsyncHooks.AsyncResourceOptions) {
    super(type, options)
    for (const { init } of observers) init?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: never[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => present.run(this, () => work.apply(thisArg as This, args as never[])))
  }
}

hooks.AsyncResource = TestResource
hooks.executionAsyncId = () => present.getStore()?.asyncId() ?? 0
hooks.createHook = (callbacks) => {
  observers.push(callbacks as Callbacks)
  return { enable: () => hook, disable: () => hook }
}
const hook = { enable: () => hook, disable: () => hook } as AsyncHooks.AsyncHook
require('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
