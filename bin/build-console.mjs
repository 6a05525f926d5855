// Started by the command `start` of a checkout, once its settings and its port are known to be good.
import { ensureConsole } from './console.mjs'

ensureConsole()
