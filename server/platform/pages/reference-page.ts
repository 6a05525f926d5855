import { basePath } from '../../../contract/api.ts'

export const documentUrl = `${basePath}/openapi.json`

/**
 * The reference's configuration. Everything that would contact another origin is off: fonts, telemetry, the agent, the
 * developer tools with their share button, the link to the vendor's client, and the request proxy. "Test request"
 * therefore calls this service directly.
 */
const configuration = {
  url: documentUrl,
  metaData: { title: 'Fordra API reference' },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  persistAuth: false,
  theme: 'default',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
}

/** JSON that is safe inside a script element. */
const scriptJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * The page around the reference, whose scripts have the nonce. The first script disables a probe of the bundled
 * validator (zod): it would try `Function('')`, which the policy refuses and reports.
 */
export const renderReferencePage = (options: { nonce: string; scriptUrl: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Fordra API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
</head>
<body>
<noscript><p>This page needs JavaScript. <a href="/reference/plain">The reading copy</a> does not.</p></noscript>
<div id="app"></div>
<script nonce="${options.nonce}">globalThis.__zod_globalConfig = { jitless: true }</script>
<script src="${options.scriptUrl}" nonce="${options.nonce}"></script>
<script nonce="${options.nonce}">Scalar.createApiReference('#app', ${scriptJson(configuration)})</script>
</body>
</html>
`
