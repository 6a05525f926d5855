import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './console.css'
import './phone.css'
import './print.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { setNonce } from 'get-nonce'
import { App } from './app.tsx'
import { findSession } from './session/session.ts'
import { startTexts } from './texts/languages.ts'
import { startRequiredWords } from './texts/required-words.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)
await startTexts()
startRequiredWords()
void findSession('atStart')
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
)
