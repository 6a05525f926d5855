import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server puts each answer's own nonce in this place; see server/platform/pages/console-files.ts. */
const noncePlace = 'NONCE-OF-THE-ANSWER'

/** The areas of `data/texts` that the console shows; its own are found without their area's name. */
const areas = ['console', 'field', 'form', 'lookup', 'report']

/** Of a language's file, only the texts that the console uses, as one flat list. */
const pickTexts: Plugin = {
  name: 'pick-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/data\/texts\/\w+\.json$/ },
    handler(file) {
      const texts = JSON.parse(file) as Record<string, Record<string, string>>
      const picked = areas.flatMap((area) =>
        Object.entries(texts[area]!).map(([key, text]) => [
          area === 'console' ? key : `${area}.${key}`,
          text,
        ]),
      )
      return JSON.stringify(Object.fromEntries(picked))
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pickTexts],
  html: { cspNonce: noncePlace },
  cacheDir: '../node_modules/.cache/vite',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // Fonts and pictures as data addresses would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  // For work on the console itself: `npx vite console`, beside a running service.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
