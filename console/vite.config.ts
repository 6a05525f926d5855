import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.ts'
import { componentStyles } from './build/component-styles.ts'
import { compressFiles } from './build/compress.ts'
import { evaluateData } from './build/evaluate-data.ts'
import { pickTexts } from './build/pick-texts.ts'

/** The server puts each answer's own nonce in this place; see server/platform/pages/console-files.ts. */
const noncePlace = 'NONCE-OF-THE-ANSWER'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), pickTexts, evaluateData, componentStyles, compressFiles],
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
    rolldownOptions: { preserveEntrySignatures: false, output: chunks },
  },
  // For work on the console itself: `npx vite console`, beside a running service.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
